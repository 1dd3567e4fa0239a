package dev.talaria.engine.job;

import dev.talaria.api.SandboxException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/// Tries again what failed only for the moment. An attempt that may have had an effect is never
/// repeated: see {@link SandboxException#passing()}.
public final class Retries {
    /// The wait before each further attempt.
    public static final List<Duration> PAUSES =
            List.of(Duration.ofSeconds(2), Duration.ofSeconds(4), Duration.ofSeconds(8));

    /// Waits, or throws if the wait is no longer wanted.
    @FunctionalInterface
    public interface Pause {
        void before(Duration pause, SandboxException problem);
    }

    private Retries() {}

    /// Returns the result of the first attempt that succeeds.
    ///
    /// @throws SandboxException if no attempt succeeded; it is not passing any more
    public static <T> T of(Supplier<T> attempt, Pause pause) {
        for (Duration next : PAUSES) {
            try {
                return attempt.get();
            } catch (SandboxException e) {
                if (!e.passing()) {
                    throw e;
                }
                pause.before(next, e);
            }
        }
        try {
            return attempt.get();
        } catch (SandboxException e) {
            throw e.passing() ? settled(e) : e;
        }
    }

    /// Returns the same problem in a form that is not retried.
    public static SandboxException settled(SandboxException problem) {
        return new SandboxException(
                problem.code(), problem.getMessage() + " It was tried again for a while.", problem.getCause());
    }
}
