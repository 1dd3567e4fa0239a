package dev.talaria.mcp;

import dev.talaria.api.Cancellation;
import java.util.concurrent.atomic.AtomicReference;

/// A tool call that a client requested. It is answered or dropped, never both.
final class RunningCall {
    private final Cancellation cancellation = new Cancellation();
    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

    private enum State {
        OPEN,
        ANSWERED,
        DROPPED
    }

    Cancellation cancellation() {
        return cancellation;
    }

    /// Takes the right to answer. Returns false if the client no longer wants an answer.
    boolean answer() {
        return state.compareAndSet(State.OPEN, State.ANSWERED);
    }

    /// Ends the call without an answer, unless it was answered.
    void drop(String why) {
        if (state.compareAndSet(State.OPEN, State.DROPPED)) {
            cancellation.cancel(why);
        }
    }

    boolean dropped() {
        return state.get() == State.DROPPED;
    }
}
