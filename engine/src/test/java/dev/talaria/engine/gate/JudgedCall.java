package dev.talaria.engine.gate;

import dev.talaria.api.CallEvent;
import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolContext;
import java.util.function.Supplier;

/// A call that is judged and never runs.
public record JudgedCall(ToolCall call) implements ToolContext {
    @Override
    public Deadline deadline() {
        return Deadline.never();
    }

    @Override
    public Cancellation cancellation() {
        return new Cancellation();
    }

    @Override
    public void waitingFor(Supplier<String> what) {}

    @Override
    public void ranIn(String sandbox) {}

    @Override
    public void output(CallEvent.Stream stream, String text) {}
}
