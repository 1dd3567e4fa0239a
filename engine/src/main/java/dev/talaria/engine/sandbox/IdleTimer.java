package dev.talaria.engine.sandbox;

import dev.talaria.engine.util.Waits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/// Wakes up when the next sandbox may have been idle for too long, and at no other time.
final class IdleTimer implements AutoCloseable {
    private final Supplier<Duration> round;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CompletableFuture<Boolean> closing = new CompletableFuture<>();

    /// @param round closes what is due and returns how long nothing will be
    IdleTimer(Supplier<Duration> round) {
        this.round = round;
    }

    /// Begins when the first sandbox is there; may be called many times.
    void begin() {
        if (!begun.get() && !begun.getAndSet(true)) {
            Thread.ofVirtual().name("sandbox-reaper").start(this::run);
        }
    }

    private void run() {
        boolean over = false;
        while (!over) {
            over = Waits.until(closing, round.get().plusMillis(1)); // never at once, whatever is left
        }
    }

    @Override
    public void close() {
        closing.complete(true);
    }
}
