package dev.talaria.api;

import java.util.Map;

/// What a tool is given for one call.
public interface ToolContext {

    ToolCall call();

    /// Returns the call's arguments, checked against the tool's schema.
    default Map<String, Object> arguments() {
        return call().arguments();
    }

    Deadline deadline();

    Cancellation cancellation();

    /// Tells listeners what the call waits for now, in a few words ("the script", "terminal: make test").
    void waitingFor(String what);

    /// Shows lines of live output to listeners. The text must have passed the output stage.
    void output(CallEvent.Stream stream, String text);
}
