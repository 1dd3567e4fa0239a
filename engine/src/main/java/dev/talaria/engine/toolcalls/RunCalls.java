package dev.talaria.engine.toolcalls;

import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Serves the tool calls of one run: checks token, allow-list and budget, then calls the engine.
/// Serves nothing once the run is over.
public final class RunCalls {
    private final String id;
    private final byte[] token;
    private final ToolCall script;
    private final Map<String, Set<String>> allowed;
    private final int budget;
    private final Deadline deadline;
    private final Cancellation cancellation;
    private final NestedCalls route;
    private final AtomicInteger used = new AtomicInteger();
    private final Map<String, String> pending = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<FinishedCall> done = new ConcurrentLinkedQueue<>();
    private volatile boolean over; // written by the run's thread, read by connections

    /// A call that was dispatched and answered.
    ///
    /// @param failed whether the answer was an error
    /// @param chars the approximate length of the answer: that of its texts, and 8 for any other value
    public record FinishedCall(String tool, String argumentsPreview, Duration took, boolean failed, int chars) {}

    RunCalls(
            String id,
            String token,
            ToolCall script,
            Map<String, Set<String>> allowed,
            int budget,
            Deadline deadline,
            Cancellation cancellation,
            NestedCalls route) {
        this.id = id;
        this.token = token.getBytes(StandardCharsets.UTF_8);
        this.script = script;
        this.allowed = new TreeMap<>(allowed);
        this.budget = budget;
        this.deadline = deadline;
        this.cancellation = cancellation;
        this.route = route;
    }

    String id() {
        return id;
    }

    /// Returns the session that the run belongs to.
    String session() {
        return script.caller().session();
    }

    /// Returns whether a request carries this run's token. Takes the same time for every wrong token.
    boolean knows(@Nullable Object given) {
        return given instanceof String text
                && token.length > 0
                && MessageDigest.isEqual(text.getBytes(StandardCharsets.UTF_8), token);
    }

    /// Returns the answer to one request, a JSON value.
    Map<String, Object> answer(@Nullable Object tool, @Nullable Object arguments) {
        if (over) {
            return error("This run is over; its tools are closed.");
        }
        if (!(tool instanceof String name) || !allowed.containsKey(name)) {
            return error("Tool '" + (tool == null ? "" : tool) + "' is not available in execute_code. Available: "
                    + (allowed.isEmpty() ? "none" : String.join(", ", allowed.keySet())));
        }
        if (arguments != null && !(arguments instanceof Map<?, ?>)) {
            return error("Invalid RPC request: args must be a JSON object");
        }
        if (!reserve()) {
            return error("Tool call limit reached (" + budget + "). No more tool calls allowed in this execution.");
        }
        return dispatch(name, allowedArguments(name, arguments instanceof Map<?, ?> map ? map : Map.of()));
    }

    /// Takes one call off the budget. The count is exact even if many threads ask at once.
    private boolean reserve() {
        return used.getAndUpdate(count -> count < budget ? count + 1 : count) < budget;
    }

    private Map<String, Object> allowedArguments(String tool, Map<?, ?> arguments) {
        Set<String> closed = allowed.getOrDefault(tool, Set.of());
        Map<String, Object> kept = new LinkedHashMap<>();
        arguments.forEach((key, value) -> {
            if (!closed.contains(key)) {
                kept.put(String.valueOf(key), value);
            }
        });
        return kept;
    }

    private Map<String, Object> dispatch(String tool, Map<String, Object> arguments) {
        ToolCall call = script.nested(tool, arguments);
        long start = System.nanoTime();
        pending.put(call.id(), tool);
        try {
            if (over) { // checked again: the end of the run may have listed the pending calls since
                return error("This run is over; its tools are closed.");
            }
            ToolResult result = route.call(call, deadline, cancellation);
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            Map<String, Object> value = result.value();
            done.add(new FinishedCall(
                    tool, preview(arguments), took, !(result instanceof ToolResult.Completed), size(value)));
            return value;
        } finally {
            pending.remove(call.id());
            if (over) {
                synchronized (pending) {
                    pending.notifyAll();
                }
            }
        }
    }

    private static String preview(Map<String, Object> arguments) {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, Object> argument : arguments.entrySet()) {
            if (text.length() > 80) {
                break;
            }
            String value = String.valueOf(argument.getValue());
            text.append(text.isEmpty() ? "" : ", ")
                    .append(argument.getKey())
                    .append('=')
                    .append(value, 0, Math.min(80, value.length()));
        }
        return text.substring(0, Math.min(80, text.length()));
    }

    private static int size(Map<String, Object> value) {
        int chars = 0;
        for (Object part : value.values()) {
            chars += part instanceof String text ? text.length() : 8;
        }
        return chars;
    }

    /// Returns the names of the tools that have not answered yet.
    public String waitingFor() {
        return pending.values().stream().sorted().distinct().collect(Collectors.joining(", "));
    }

    /// The tool calls of a run.
    ///
    /// @param used the number of dispatched calls
    /// @param budget the number of allowed calls
    /// @param done the calls that were answered
    /// @param unanswered the names of the calls that had no answer when the run ended
    /// @param unended the tools among them that did not end even then
    public record Summary(int used, int budget, List<FinishedCall> done, List<String> unanswered, String unended) {
        public Summary {
            done = List.copyOf(done);
            unanswered = List.copyOf(unanswered);
        }
    }

    /// Ends the service: later requests are refused.
    ///
    /// @return the names of the calls that had no answer yet
    List<String> end() {
        over = true;
        List<String> names = new ArrayList<>(pending.values());
        names.sort(null);
        return names;
    }

    /// Waits until the running calls have ended, too, but not for ever: a tool may ignore its
    /// cancellation.
    ///
    /// @param unanswered the names of the calls that had no answer when the run ended
    /// @return the calls of the run
    public Summary awaitEnd(List<String> unanswered, Duration limit) {
        Deadline end = Deadline.after(limit);
        synchronized (pending) {
            try {
                while (!pending.isEmpty() && !end.passed()) {
                    pending.wait(end.remaining().toMillis() + 1);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // an interrupted caller still gets the script's result
            }
        }
        return new Summary(used.get(), budget, List.copyOf(done), unanswered, waitingFor());
    }

    private static Map<String, Object> error(String message) {
        return Map.of("error", message);
    }
}
