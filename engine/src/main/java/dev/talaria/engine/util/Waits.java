package dev.talaria.engine.util;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Waits for the end of something, for a while.
public final class Waits {
    private Waits() {}

    /// Waits for an end, however it comes, but not longer than this. Returns whether the wait ended before its time: it
    /// does for a thread that is interrupted, too.
    public static boolean until(CompletableFuture<?> end, Duration limit) {
        try {
            var _ = end.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException e) {
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /// Waits until all threads have ended, but not longer than this.
    public static void untilEnd(Collection<Thread> threads, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        try {
            for (Thread thread : threads) {
                long left = end - System.nanoTime();
                if (left <= 0 || !thread.join(Duration.ofNanos(left))) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
