package dev.talaria.engine.process;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.Json;
import dev.talaria.engine.clean.Redactor;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.relay.RelayProgram;
import dev.talaria.engine.start.JobSpec;
import dev.talaria.engine.start.Patience;
import dev.talaria.engine.start.ShortCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Starts processes that outlive Talaria, each with a guardian of its own.
final class Guardian {
    private static final Duration START = Duration.ofSeconds(20);

    /// The program comes on stdin, as the relay's does: first a line with the parameters, then the source.
    private static final String LOADER =
            "import sys;PARAMETERS=sys.stdin.buffer.readline();exec(compile(sys.stdin.buffer.read(),'guardian.py','exec'))";

    private final Folders folders;
    private final Redactor redactor;

    Guardian(Folders folders, Redactor redactor) {
        this.folders = folders;
        this.redactor = redactor;
    }

    /// Starts a program.
    ///
    /// @param python an interpreter of this machine
    /// @throws SandboxException if it could not be started
    Kept start(
            BackgroundProcess.Origin origin,
            JobSpec.Background spec,
            Sandbox sandbox,
            String python,
            Patience patience) {
        try {
            Path folder = Folders.create(Folders.create(Kept.folder(folders)).resolve(origin.id()));
            String socket = Kept.socket(folder);
            Map<String, Object> parameters = new LinkedHashMap<>();
            parameters.put("folder", folder.toString());
            parameters.put("socket", socket);
            parameters.put("argv", spec.program().argv());
            parameters.put("cwd", spec.cwd().orElse("/"));
            parameters.put("env", spec.environment());
            spec.screen().ifPresent(screen -> parameters.put("pty", List.of(screen.rows(), screen.columns())));
            ShortCommand.Ended started = ShortCommand.run(
                    sandbox, List.of(python, "-I", "-S", "-c", LOADER), program(parameters), START, patience);
            String said = new String(started.stdout(), StandardCharsets.UTF_8).strip();
            Map<String, Object> report = said.startsWith("{") ? Json.object(said) : Map.of("error", started.said());
            if (report.get("error") != null) {
                ProcessFolder.delete(folder);
                throw new SandboxException(
                        ErrorCode.INVALID_ARGUMENT, "The process could not be started: " + report.get("error"));
            }
            Kept kept = new Kept(
                    folder,
                    origin.id(),
                    origin.session(),
                    redactor.redact(origin.command(), Redactor.Mode.FULL),
                    origin.cwd(),
                    origin.started(),
                    origin.flags().pty(),
                    origin.flags().tells(),
                    socket,
                    Identity.of(report, "pid", "start").orElseThrow(),
                    Identity.of(report, "guardian", "guardian_start").orElseThrow(),
                    Identity.ofThisProcess());
            kept.write();
            return kept;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write to " + Kept.folder(folders) + ". Make it writable.", e);
        }
    }

    private static byte[] program(Map<String, Object> parameters) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(Json.bytes(parameters)); // one line: JSON has no line breaks outside strings
        all.write('\n');
        all.writeBytes(RelayProgram.ofKeepers());
        all.write('\n');
        try (InputStream in = Guardian.class.getResourceAsStream("guardian.py")) {
            if (in == null) {
                throw new IllegalStateException("guardian.py is missing from the jar");
            }
            in.transferTo(all);
        }
        return all.toByteArray();
    }
}
