package dev.talaria.engine.util;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Waits for the end of something, with a time limit.
public final class Waits {
    private Waits() {}

    /// Waits until a future completes or fails, but no longer than `limit`. Returns true if the wait ended
    /// before its limit, also for an interrupted thread.
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

    /// Waits until all threads have ended, but no longer than `limit`.
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
