package dev.talaria.api;

import java.time.Duration;

/// The moment at which a call must be over. Travels with the call; nested deadlines derive from the outer one.
///
/// @param nanos a value of {@link System#nanoTime()}
public record Deadline(long nanos) {
    private static final Duration FAR = Duration.ofDays(365 * 100L);

    public static Deadline after(Duration limit) {
        Duration bounded = limit.compareTo(FAR) > 0 ? FAR : limit;
        return new Deadline(System.nanoTime() + bounded.toNanos());
    }

    /// Returns a deadline that is never reached.
    public static Deadline never() {
        return after(FAR);
    }

    /// Returns the earlier of this deadline and the one `limit` from now.
    public Deadline atMost(Duration limit) {
        Deadline other = after(limit);
        return other.nanos - nanos < 0 ? other : this;
    }

    /// Returns the time left, never negative.
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
    }

    public boolean passed() {
        return nanos - System.nanoTime() <= 0;
    }
}
