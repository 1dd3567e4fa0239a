package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Outcome.Status;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Supplier;

/// Tracks where a shell may leave a body early: functions and loops (`return`, `break`), and shells
/// (`exit`). Commands behind a jump count, since the shell may not take the jump. The state at the
/// jump counts, too.
final class EarlyExits {
    private final UnknownValues marks;
    private final Deque<Frame> frames = new ArrayDeque<>();

    EarlyExits(UnknownValues marks) {
        this.marks = marks;
    }

    private static final class Frame {
        private final boolean shell;
        private Optional<State> left = Optional.empty(); // the joined states of all places where the body may be left

        private Frame(boolean shell) {
            this.shell = shell;
        }
    }

    /// Notes that the running body may end here.
    void jump(State state) {
        for (Frame frame : frames) {
            if (frame.left.isPresent()) {
                frame.left.get().join(state.copy(), marks);
            } else {
                frame.left = Optional.of(state.copy());
            }
            if (frame.shell) {
                return;
            }
        }
    }

    /// Evaluates a function or a loop.
    Outcome inBody(State state, Supplier<Outcome> body) {
        return in(new Frame(false), state, body);
    }

    /// Evaluates commands that a shell of its own runs.
    Outcome inShell(State state, Supplier<Outcome> body) {
        return in(new Frame(true), state, body);
    }

    private Outcome in(Frame frame, State state, Supplier<Outcome> body) {
        frames.push(frame);
        Outcome outcome = body.get();
        frames.pop();
        if (frame.left.isEmpty()) {
            return outcome;
        }
        state.join(frame.left.get(), marks);
        return outcome.with(Status.MAYBE).printing(outcome.output().isEmpty() ? "" : UnknownValues.MADE);
    }
}
