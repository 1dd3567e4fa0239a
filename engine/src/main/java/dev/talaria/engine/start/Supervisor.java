package dev.talaria.engine.start;

import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.SandboxException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Waits for a job's end, and ends it when its time is over or its caller has gone.
public final class Supervisor {
    /// How long a tree has between TERM and KILL when its time is over.
    public static final Duration TIMEOUT_GRACE = Duration.ofSeconds(5);

    /// How long a tree has between TERM and KILL when the caller takes the call back.
    public static final Duration CANCEL_GRACE = Duration.ofMillis(500);

    private static final Duration KILL_TAKES = Duration.ofSeconds(20);

    private Supervisor() {}

    /// How the waiting ended.
    public sealed interface Outcome {
        Exit exit();

        record Ended(Exit exit) implements Outcome {}

        record TimedOut(Exit exit) implements Outcome {}

        record Cancelled(Exit exit, String reason) implements Outcome {}
    }

    /// Returns how the job ended; its tree is dead by then.
    public static Outcome await(Job job, Deadline deadline, Cancellation cancellation) throws InterruptedException {
        try (var _ = cancellation.onCancel(() -> job.kill(CANCEL_GRACE))) {
            Exit exit = get(job, deadline.remaining());
            return outcome(exit, cancellation);
        } catch (TimeoutException e) {
            job.kill(TIMEOUT_GRACE);
            return new Outcome.TimedOut(afterKill(job, TIMEOUT_GRACE));
        } catch (InterruptedException e) {
            job.kill(CANCEL_GRACE);
            throw e;
        }
    }

    private static Outcome outcome(Exit exit, Cancellation cancellation) {
        return cancellation
                .reason()
                .<Outcome>map(reason -> new Outcome.Cancelled(exit, reason))
                .orElseGet(() -> new Outcome.Ended(exit));
    }

    private static Exit afterKill(Job job, Duration grace) throws InterruptedException {
        try {
            return get(job, grace.plus(KILL_TAKES));
        } catch (TimeoutException e) {
            throw new SandboxException(
                    dev.talaria.api.ErrorCode.SANDBOX_LOST,
                    "The sandbox did not confirm that the job was ended. Open a new session to get a new sandbox.",
                    e);
        }
    }

    private static Exit get(Job job, Duration limit) throws InterruptedException, TimeoutException {
        try {
            return job.exit().get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | CancellationException e) {
            if (e.getCause() instanceof SandboxException lost) {
                throw lost;
            }
            throw new IllegalStateException("A job ended without a result.", e);
        }
    }
}
