package dev.talaria.api;

import java.util.Map;
import java.util.function.Supplier;

/// One call as its tool sees it: the arguments, the time left, and what the tool can report while it works.
///
/// ```java
/// Tool pause = new Tool() {
///     @Override
///     public ToolSpec spec() {
///         return new ToolSpec("pause", "Waits for some seconds.", Map.of("type", "object"));
///     }
///
///     @Override
///     public ToolResult call(ToolContext context) throws InterruptedException {
///         context.waitingFor(() -> "the clock");
///         Duration asked = Duration.ofSeconds((Integer) context.arguments().get("seconds"));
///         Duration left = context.deadline().remaining();
///         Thread worker = Thread.currentThread();
///         try (var _ = context.cancellation().onCancel(worker::interrupt)) {
///             Thread.sleep(asked.compareTo(left) < 0 ? asked : left);
///         }
///         return ToolResult.completed("waited", true);
///     }
/// };
/// Engine engine = Engine.builder().tool(pause).build();
/// ```
public interface ToolContext {

    /// Returns the call.
    ToolCall call();

    /// Returns the call's arguments, checked against the tool's schema.
    default Map<String, Object> arguments() {
        return call().arguments();
    }

    /// Returns the call's deadline.
    Deadline deadline();

    /// Returns the call's cancellation, which tells whether the caller has cancelled.
    Cancellation cancellation();

    /// Sets what the call waits for, in a few words ("the script", "terminal: make test"). The engine asks
    /// `what` when it tells listeners that the call still runs.
    void waitingFor(Supplier<String> what);

    /// Notes the name of the sandbox that the call runs in, for the audit log.
    void ranIn(String sandbox);

    /// Sends whole lines of live output to listeners.
    ///
    /// @param text the lines, cleaned: without secrets and escape sequences
    void output(CallEvent.Stream stream, String text);

    /// Returns the call's only object of this kind and opens it on the first request. The engine closes it
    /// when the call has ended. The gate and the tool thereby see the same object, such as the same open file.
    ///
    /// @param kind the class of the object
    /// @param open opens the object
    default <T extends AutoCloseable> T kept(Class<T> kind, Supplier<T> open) {
        return open.get();
    }
}
