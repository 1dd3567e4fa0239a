package dev.talaria.engine.job;

import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.api.ToolResult;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Waits for a job's end. Ends the job when its time is over or its caller has gone.
public final class Supervisor {
    /// The time between TERM and KILL when a job's time is over.
    public static final Duration TIMEOUT_GRACE = Duration.ofSeconds(5);

    /// The time between TERM and KILL when the caller cancels the call.
    public static final Duration CANCEL_GRACE = Duration.ofMillis(500);

    private static final Duration SHORTEST_WAIT = Duration.ofMillis(2); // a clock may stand just before its time

    private static final Duration KILL_TAKES = Duration.ofSeconds(20);

    private Supervisor() {}

    /// How the wait ended.
    public sealed interface Outcome {
        Exit exit();

        /// Returns the result of the call that waited.
        default ToolResult result(Duration limit, Map<String, Object> value) {
            return switch (this) {
                case Exited _ -> new ToolResult.Completed(value);
                case TimedOut _ -> new ToolResult.TimedOut(limit, value);
                case Cancelled cancelled -> new ToolResult.Cancelled(cancelled.reason(), value);
            };
        }

        record Exited(Exit exit) implements Outcome {}

        record TimedOut(Exit exit) implements Outcome {}

        record Cancelled(Exit exit, String reason) implements Outcome {}
    }

    /// Returns how the job ended; by then its tree is dead. A lost sandbox is an end, too.
    public static Outcome await(Job job, Patience patience) {
        return inTime(job, patience).orElseGet(() -> {
            job.kill(TIMEOUT_GRACE);
            return new Outcome.TimedOut(afterKill(job, TIMEOUT_GRACE));
        });
    }

    /// Returns how the job ended; empty if its time is over, and then the job goes on. Only the loss
    /// of its caller ends it.
    public static Optional<Outcome> inTime(Job job, Patience patience) {
        Cancellation cancellation = patience.cancellation();
        try (var _ = cancellation.onCancel(() -> job.kill(CANCEL_GRACE))) {
            return Optional.of(outcome(get(job, patience.deadline()), cancellation));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            job.kill(CANCEL_GRACE);
            Exit exit = afterKill(job, CANCEL_GRACE);
            Thread.currentThread().interrupt();
            return Optional.of(new Outcome.Cancelled(exit, "the calling thread was interrupted"));
        }
    }

    /// Waits until the job ends or its time is over. The time is over later if the clock was stopped
    /// meanwhile.
    private static Exit get(Job job, Deadline deadline) throws InterruptedException, TimeoutException {
        while (true) {
            Duration left = deadline.remaining();
            try {
                return get(job, left.compareTo(SHORTEST_WAIT) < 0 ? SHORTEST_WAIT : left);
            } catch (TimeoutException e) {
                if (deadline.passed()) {
                    throw e;
                }
            }
        }
    }

    private static Outcome outcome(Exit exit, Cancellation cancellation) {
        return cancellation
                .reason()
                .<Outcome>map(reason -> new Outcome.Cancelled(exit, reason))
                .orElseGet(() -> new Outcome.Exited(exit));
    }

    private static Exit afterKill(Job job, Duration grace) {
        try {
            return get(job, grace.plus(KILL_TAKES));
        } catch (TimeoutException e) {
            job.abandon();
            return Exit.lost("The sandbox did not confirm that the job was ended.");
        } catch (InterruptedException e) {
            return Exit.lost("Interrupted a second time, so the end of the job was not awaited.");
        }
    }

    private static Exit get(Job job, Duration limit) throws InterruptedException, TimeoutException {
        try {
            return job.exit().get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | CancellationException e) {
            if (e.getCause() instanceof SandboxException problem && problem.code() == ErrorCode.SANDBOX_LOST) {
                return Exit.lost(String.valueOf(problem.getMessage()));
            }
            if (e.getCause() instanceof SandboxException problem) {
                throw problem;
            }
            throw new IllegalStateException("A job ended without a result.", e);
        }
    }
}
