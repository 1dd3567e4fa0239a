package dev.talaria.engine.acquire;

import dev.talaria.api.Backend;
import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.config.Transport;
import dev.talaria.engine.relay.Relay;
import dev.talaria.engine.relay.RelayOptions;
import dev.talaria.engine.relay.RelayStart;
import dev.talaria.engine.rpc.Switchboard;
import dev.talaria.engine.start.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The sandboxes of an engine: one for each session, opened once however many calls come first at the same time.
public final class Sandboxes implements AutoCloseable {
    private static final Duration GOODBYE = Duration.ofSeconds(10);

    private final Backend backend;
    private final Settings settings;
    private final Map<String, String> environment;
    private final Path socketFolder;
    private final Pythons pythons;
    private final Switchboard switchboard;
    private final Luggage luggage;
    private final Map<String, Opening<Workplace>> open = new ConcurrentHashMap<>();
    private volatile boolean closed; // written by close(), read by calls

    public Sandboxes(
            Backend backend,
            Settings settings,
            Map<String, String> environment,
            Path socketFolder,
            Pythons pythons,
            Switchboard switchboard,
            Luggage luggage) {
        this.backend = backend;
        this.settings = settings;
        this.environment = environment;
        this.socketFolder = socketFolder;
        this.pythons = pythons;
        this.switchboard = switchboard;
        this.luggage = luggage;
    }

    /// Returns the session's workplace, opening its sandbox if there is none.
    ///
    /// @throws dev.talaria.engine.start.GaveUpException if that took longer than the call can wait
    public Workplace acquire(String session, Patience patience) {
        Opening<Workplace> known = open.get(session); // quicker than computeIfAbsent, and nearly always there
        Opening<Workplace> workplace = known != null ? known : open.computeIfAbsent(session, _ -> opening());
        if (closed) {
            workplace.close(patience); // close() may have looked before it was there
            throw new SandboxException(ErrorCode.SANDBOX_LOST, "This engine was closed. Build a new one.");
        }
        return workplace.await(patience);
    }

    /// Returns the session's workplace with all in it that belongs there, for whoever is about to do something there.
    ///
    /// @throws dev.talaria.engine.start.GaveUpException if that took longer than the call can wait
    public Workplace enter(String session, Patience patience) {
        Workplace workplace = acquire(session, patience);
        workplace.prepare(patience);
        return workplace;
    }

    /// Returns whether what the session had in its sandbox was lost, and made anew without it; says so once.
    public boolean takeRecreated(String session) {
        return Optional.ofNullable(open.get(session))
                .flatMap(Opening::now)
                .filter(Workplace::takeRecreated)
                .isPresent();
    }

    private Opening<Workplace> opening() {
        return new Opening<>("sandbox-open", this::open, _ -> true, workplace -> workplace.close(goodbye()));
    }

    private Workplace open() {
        // No command sees more of the host's environment than scripts may, wherever it would inherit it.
        Sandbox sandbox = backend.open(new SandboxSpec(
                SandboxSpec.newId(), Map.of(), settings.cwd(), settings.backendOptions(), Optional.of(environment)));
        return new Workplace(sandbox, () -> startRelay(sandbox), luggage);
    }

    private Relay startRelay(Sandbox sandbox) {
        List<String> python = new ArrayList<>();
        if (sandbox.sharesHost()) {
            python.add(pythons.standard()
                    .orElseThrow(() -> new SandboxException(
                            ErrorCode.PYTHON_MISSING,
                            "There is no python3 on the PATH. Install Python 3.8 or newer (apt install python3)."))
                    .toString());
        } else {
            python.add("python3");
        }
        boolean socket = sandbox.sharesHost() && settings.transport() != Transport.STREAM;
        RelayOptions options = RelayOptions.standard(python, socket ? Optional.of(socketFolder) : Optional.empty());
        return RelayStart.open(
                sandbox,
                sandbox.sharesHost()
                        ? options.with(interpreter()).keptIn(settings.folders().cache())
                        : options,
                switchboard);
    }

    private Optional<RelayOptions.Interpreter> interpreter() {
        Map<String, String> clean = new LinkedHashMap<>(environment);
        clean.remove("PYTHONPATH"); // a run brings its own
        return pythons.ofScripts(settings.script())
                .filter(python -> python.startsWith("/"))
                .map(python -> new RelayOptions.Interpreter(python, clean));
    }

    @Override
    public void close() {
        closed = true;
        Patience goodbye = goodbye();
        open.values().forEach(workplace -> workplace.close(goodbye));
    }

    private static Patience goodbye() {
        return new Patience(Deadline.after(GOODBYE), new Cancellation());
    }
}
