package dev.talaria.mcp;

import dev.talaria.api.Cancellation;
import java.util.concurrent.atomic.AtomicReference;

/// A tool call that a client asked for under a request id. It is answered or dropped, never both.
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

    /// Takes the right to answer; returns false if the client does not want an answer any more.
    boolean answer() {
        return state.compareAndSet(State.OPEN, State.ANSWERED);
    }

    /// Ends the call without an answer, unless it has been answered.
    void drop(String why) {
        if (state.compareAndSet(State.OPEN, State.DROPPED)) {
            cancellation.cancel(why);
        }
    }

    boolean dropped() {
        return state.get() == State.DROPPED;
    }
}
