package dev.talaria.engine.toolcalls;

import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.ToolCall;
import dev.talaria.engine.config.RpcSettings;
import dev.talaria.engine.util.RandomBytes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Receives the requests of running scripts, whatever their transport. The token of a request tells
/// which run serves it.
public final class ToolCallServer implements ConnectionAcceptor, AutoCloseable {
    private final RpcSettings settings;
    private final NestedCalls route;
    private final Map<String, RunCalls> runs = new ConcurrentHashMap<>();
    private final CallDurations durations = new CallDurations();
    // platform: a blocking read here answers one thread hop sooner than a parked virtual thread
    private final ExecutorService readers = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("tool-calls-", 0).factory());
    private final ReaderHandOff handOff = new ReaderHandOff(readers);
    private final Sockets sockets;

    public ToolCallServer(RpcSettings settings, Path folder, NestedCalls route) {
        this.settings = settings;
        this.route = route;
        this.sockets = new Sockets(folder, readers);
    }

    /// A run's access to its tools, until {@link #close(RunAccess)}.
    ///
    /// @param calls the calls that the run makes
    /// @param token proves that a request comes from the run
    /// @param socket the path of the host's socket for this run; absent if its requests come in
    ///     another way
    public record RunAccess(RunCalls calls, String token, Optional<String> socket) {}

    /// Opens the access of one run.
    ///
    /// @param allowed the tools that the run may call, each with the parameters that it must not use
    /// @param socket whether its requests come by a socket of this machine
    public RunAccess open(
            ToolCall script,
            Map<String, Set<String>> allowed,
            int budget,
            Deadline deadline,
            Cancellation cancellation,
            boolean socket) {
        byte[] bytes = RandomBytes.of(40);
        String id = HexFormat.of().formatHex(bytes, 0, 8);
        String token = id + "."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).substring(11);
        RunCalls calls = new RunCalls(id, token, script, allowed, budget, deadline, cancellation, route);
        Optional<String> path =
                socket ? Optional.of(socket(calls)) : Optional.empty(); // may fail: then there is no run
        runs.put(id, calls);
        return new RunAccess(calls, token, path);
    }

    /// Refuses later requests of a run.
    ///
    /// @return the names of the calls that had no answer yet
    public List<String> close(RunAccess access) {
        runs.remove(access.calls().id());
        if (settings.compatible()) {
            access.socket().ifPresent(sockets::close);
        }
        return access.calls().end();
    }

    private String socket(RunCalls calls) {
        return settings.compatible() ? ownSocket(calls) : sockets.shared(this);
    }

    /// Opens a socket for one run. In compatibility mode a script may send no token: then the path,
    /// which nobody else knows, is the secret.
    private String ownSocket(RunCalls calls) {
        String name = "hermes_rpc_" + RandomBytes.hex(16) + ".sock";
        return sockets.open(
                name,
                peer -> new ScriptConnection(
                        this, peer, request -> request.get("token") == null ? Optional.of(calls) : find(request)));
    }

    @Override
    public Receiver connected(Peer peer) {
        return new ScriptConnection(this, peer, this::find);
    }

    /// Returns whether recent calls of this tool were quick.
    boolean quick(@Nullable Object tool) {
        return tool instanceof String name && durations.quick(name);
    }

    ReaderHandOff handOff() {
        return handOff;
    }

    int maxLine() {
        return settings.maxLineBytes();
    }

    /// Returns the answer to one parsed request.
    ///
    /// @param runOf finds the run that a request belongs to
    /// @param admits tells whether a session may have the connection of this request
    Map<String, Object> answer(
            Map<String, Object> request,
            Function<Map<String, Object>, Optional<RunCalls>> runOf,
            Predicate<String> admits) {
        Optional<RunCalls> run = runOf.apply(request);
        if (run.isEmpty()) {
            return Map.of("error", "Unauthorized RPC request");
        }
        if (!admits.test(run.get().session())) {
            return Map.of(
                    "error",
                    "Too many connections for tool calls are open in this sandbox. Let calls end before making more,"
                            + " or make them from fewer threads and processes.");
        }
        long began = System.nanoTime();
        try {
            return run.get().answer(request.get("tool"), request.get("args"));
        } finally {
            durations.took(request.get("tool"), System.nanoTime() - began);
        }
    }

    private Optional<RunCalls> find(Map<String, Object> request) {
        if (!(request.get("token") instanceof String text)) {
            return Optional.empty();
        }
        int dot = text.indexOf('.');
        return Optional.ofNullable(runs.get(dot < 0 ? "" : text.substring(0, dot)))
                .filter(calls -> calls.knows(text));
    }

    @Override
    public void close() throws IOException {
        runs.clear();
        sockets.close();
        handOff.close();
        readers.shutdown();
    }
}
