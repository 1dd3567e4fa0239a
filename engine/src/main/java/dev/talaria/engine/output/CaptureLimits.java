package dev.talaria.engine.output;

/// Limits for the shown part of a stream.
///
/// @param cap the largest number of bytes of cleaned text: 40 % from the beginning, the rest from the
///     end
/// @param headTail whether a failed run also shows beginning and end; if not, it shows only the end
public record CaptureLimits(int cap, boolean headTail) {

    private static final int HEAD_PERCENT = 40;
    private static final int WINDOW_FACTOR = 4;
    private static final int LARGEST = 100_000_000;

    public CaptureLimits {
        if (cap < 10 || cap > LARGEST) {
            throw new IllegalArgumentException(
                    "An output cap is between 10 and %,d bytes, not %,d".formatted(LARGEST, cap));
        }
    }

    /// Returns limits that always keep both ends.
    public static CaptureLimits stdout(int cap) {
        return new CaptureLimits(cap, true);
    }

    /// Returns limits that keep only the end when the run failed: it explains why.
    public static CaptureLimits stderr(int cap) {
        return new CaptureLimits(cap, false);
    }

    int headShare() {
        return (int) ((long) cap * HEAD_PERCENT / 100);
    }

    int tailShare() {
        return cap - headShare();
    }

    int headWindow() {
        return WINDOW_FACTOR * headShare();
    }

    int tailWindow() {
        return WINDOW_FACTOR * tailShare();
    }
}
