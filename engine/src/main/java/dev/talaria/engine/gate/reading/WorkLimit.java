package dev.talaria.engine.gate.reading;

/// Counts the work that evaluating one text takes. The gate gives up on a text that is built to take
/// long.
final class WorkLimit {
    private static final int MOST_STEPS = 8_000;
    private static final int MOST_COPIED = 200_000; // entries of states

    private int steps;
    private int copied;

    /// Counts one more command or construct.
    void step() {
        steps++;
    }

    /// Counts copied entries of a state.
    void copied(int entries) {
        copied += entries;
    }

    boolean tooMuch() {
        return steps > MOST_STEPS || copied > MOST_COPIED;
    }
}
