package dev.talaria.engine.job;

import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.ToolContext;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// How long a call waits for something slow: until its deadline, and while its caller wants it.
public record Patience(Deadline deadline, Cancellation cancellation) {

    /// Returns the patience of a call.
    public static Patience of(ToolContext context) {
        return new Patience(context.deadline(), context.cancellation());
    }

    /// Returns the same patience, which ends after this time at the latest.
    public Patience atMost(Duration time) {
        return new Patience(deadline.atMost(time), cancellation);
    }

    /// Returns the patience of work that nobody waits for.
    public static Patience endless() {
        return new Patience(Deadline.never(), new Cancellation());
    }

    /// Waits for a result. If the patience ends first, only the wait ends: the awaited work goes on.
    ///
    /// @throws GaveUpException if the result did not come in time
    public <T> T await(CompletableFuture<T> coming) {
        CompletableFuture<T> mine = coming.copy();
        try (var _ = cancellation.onCancel(() -> mine.cancel(false))) {
            return mine.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
        } catch (CancellationException e) {
            throw gaveUp();
        } catch (TimeoutException e) {
            throw GaveUpException.timeOver();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw GaveUpException.cancelled("the calling thread was interrupted");
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException problem -> throw problem;
                case Error problem -> throw problem;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }

    /// Waits for a moment.
    ///
    /// @throws GaveUpException if the patience ends before
    public void pause(Duration moment) {
        await(new CompletableFuture<Boolean>().completeOnTimeout(true, moment.toMillis(), TimeUnit.MILLISECONDS));
    }

    /// Checks that the patience lasts.
    ///
    /// @throws GaveUpException if it is over
    public void check() {
        if (cancellation.cancelled() || deadline.passed()) {
            throw gaveUp();
        }
    }

    private GaveUpException gaveUp() {
        return cancellation.reason().map(GaveUpException::cancelled).orElseGet(GaveUpException::timeOver);
    }
}
