package dev.talaria.api;

import java.time.Duration;

/// The moment at which a call must be over. The deadline of a nested call is made from the outer one and shares its
/// clock. The clock can be stopped while a person is asked something.
///
/// ```java
/// Deadline deadline = Deadline.after(Duration.ofMinutes(1));
/// try (Deadline.Stop _ = deadline.stop(Duration.ofMinutes(5))) {
///     System.console().readLine("Go on? ");
/// }
/// System.out.println(deadline.remaining());
/// ```
public final class Deadline {
    private static final Duration FAR = Duration.ofDays(365 * 100L);

    private final Clock clock;
    private final long nanos; // on that clock

    private Deadline(Clock clock, long nanos) {
        this.clock = clock;
        this.nanos = nanos;
    }

    /// Returns a deadline after this time, on a clock of its own.
    public static Deadline after(Duration limit) {
        Clock clock = new Clock();
        return new Deadline(clock, clock.now() + bounded(limit));
    }

    /// Returns a deadline that is never reached.
    public static Deadline never() {
        return after(FAR);
    }

    /// Returns the earlier of this deadline and the one `limit` from now.
    public Deadline atMost(Duration limit) {
        long other = clock.now() + bounded(limit);
        return other - nanos < 0 ? new Deadline(clock, other) : this;
    }

    /// Returns the time left, never negative. It stays the same while the clock stands.
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, nanos - clock.now()));
    }

    /// Returns whether the deadline has passed.
    public boolean passed() {
        return nanos - clock.now() <= 0;
    }

    /// Stops the clock of this deadline and of all deadlines that share it, until the result is closed. Several
    /// callers may stop it at the same time.
    ///
    /// @param most how long the clock may stand in all, however often it is stopped
    public Stop stop(Duration most) {
        return clock.stop(bounded(most));
    }

    /// A stopped clock. Closing it lets the clock go on; a second close does nothing.
    public interface Stop extends AutoCloseable {
        @Override
        void close();
    }

    private static long bounded(Duration limit) {
        return (limit.compareTo(FAR) > 0 ? FAR : limit).toNanos();
    }

    private static final class Clock {
        private final Object lock = new Object();
        private volatile boolean used; // most clocks are never stopped; written under lock, read by all
        private int holders; // guarded by lock
        private long since; // guarded by lock
        private long stood; // guarded by lock
        private long most; // guarded by lock

        long now() {
            if (!used) {
                return System.nanoTime();
            }
            synchronized (lock) {
                long now = System.nanoTime();
                return now - stood(now);
            }
        }

        /// Returns how long the clock has stood. The caller holds the lock.
        private long stood(long now) {
            return Math.min(most, stood + (holders > 0 ? now - since : 0));
        }

        Stop stop(long atMost) {
            synchronized (lock) {
                used = true;
                most = Math.max(most, atMost);
                if (holders++ == 0) {
                    since = System.nanoTime();
                }
            }
            return new ClockStop();
        }

        private final class ClockStop implements Stop {
            private boolean over; // guarded by lock

            @Override
            public void close() {
                synchronized (lock) {
                    if (!over) {
                        stood = holders == 1 ? stood(System.nanoTime()) : stood;
                        holders--;
                    }
                    over = true;
                }
            }
        }
    }
}
