package dev.talaria.engine.gate.reading;

/// How much work it has been to go through a text so far. A text that is made to take long is given up.
final class Effort {
    private static final int MOST_STEPS = 8_000;
    private static final int MOST_COPIED = 200_000; // entries of states

    private int steps;
    private int copied;

    /// Notes that one more command or construct is gone through.
    void step() {
        steps++;
    }

    /// Notes that entries of a state were copied.
    void copied(int entries) {
        copied += entries;
    }

    boolean tooMuch() {
        return steps > MOST_STEPS || copied > MOST_COPIED;
    }
}
