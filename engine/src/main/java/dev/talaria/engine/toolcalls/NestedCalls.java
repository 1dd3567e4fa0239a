package dev.talaria.engine.toolcalls;

import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;

/// Sends a script's tool calls back into the engine: to the step admit, like any other call.
@FunctionalInterface
public interface NestedCalls {
    ToolResult call(ToolCall call, Deadline deadline, Cancellation cancellation);
}
