package dev.talaria.engine.sandbox;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.config.Transport;
import dev.talaria.engine.job.relay.Relay;
import dev.talaria.engine.job.relay.RelayOptions;
import dev.talaria.engine.job.relay.RelayStart;
import dev.talaria.engine.toolcalls.ConnectionAcceptor;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Starts relays in the sandboxes of an engine.
///
/// @param environment the part of the host's environment that commands see
/// @param socketFolder the folder for sockets on this machine
/// @param views says what sandboxes show of this machine
/// @param acceptor takes the connections for scripts' tool calls
public record RelayStarter(
        Settings settings,
        Map<String, String> environment,
        Path socketFolder,
        HostViews views,
        ConnectionAcceptor acceptor) {

    Relay start(Sandbox sandbox, SandboxSpec spec) {
        Path workspace = Folders.workingFolder(spec.cwd().orElse(""));
        RelayOptions options = RelayOptions.standard(List.of(python(sandbox, workspace)));
        if (sandbox.reachesSockets() && settings.transport() != Transport.STREAM) {
            options = options.connecting(socketFolder);
        }
        if (sandbox.showsHost()) {
            options = interpreter(sandbox, workspace).map(options::with).orElse(options);
        }
        // A program that an isolated relay compiled is not trusted by a relay outside.
        return RelayStart.open(
                sandbox,
                sandbox.sharesHost() ? options.keptIn(settings.folders().cache()) : options,
                acceptor);
    }

    private String python(Sandbox sandbox, Path workspace) {
        if (!sandbox.showsHost()) {
            return "python3";
        }
        return views.ofRelay(sandbox, workspace)
                .orElseThrow(() -> new SandboxException(
                        ErrorCode.PYTHON_MISSING,
                        "There is no python3 on the PATH. Install Python 3.8 or newer (apt install python3)."))
                .toString();
    }

    private Optional<RelayOptions.Interpreter> interpreter(Sandbox sandbox, Path workspace) {
        Map<String, String> clean = new LinkedHashMap<>(environment);
        clean.remove("PYTHONPATH"); // a run brings its own
        return views.ahead(sandbox, workspace)
                .filter(python -> python.startsWith("/"))
                .map(python -> new RelayOptions.Interpreter(python, clean));
    }
}
