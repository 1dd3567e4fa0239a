package dev.talaria.api;

import java.util.Map;
import java.util.function.Supplier;

/// What a tool is given for one call.
public interface ToolContext {

    /// Returns the call that is answered.
    ToolCall call();

    /// Returns the call's arguments, checked against the tool's schema.
    default Map<String, Object> arguments() {
        return call().arguments();
    }

    /// Returns when the call's time is over.
    Deadline deadline();

    /// Returns what says that the caller has gone.
    Cancellation cancellation();

    /// Tells listeners what the call waits for, in a few words ("the script", "terminal: make test"); asked when
    /// somebody wants to know.
    void waitingFor(Supplier<String> what);

    /// Notes the sandbox the call ran in, for the audit log.
    void ranIn(String sandbox);

    /// Shows lines of live output to listeners. The text must have passed the output stage.
    void output(CallEvent.Stream stream, String text);

    /// Returns the one thing of its kind that this call needs, opening it if it is not open. It stays open until the
    /// call has ended: what the gate has judged is what the tool uses.
    default <T extends AutoCloseable> T kept(Class<T> kind, Supplier<T> open) {
        return open.get();
    }
}
