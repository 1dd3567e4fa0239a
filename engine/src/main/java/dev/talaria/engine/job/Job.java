package dev.talaria.engine.job;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/// A script or program that was started, until its whole tree is dead and its output is read.
public interface Job {

    /// Returns what completes when the job has ended; fails with a `SandboxException` if it could not be started or
    /// the sandbox was lost.
    CompletableFuture<Exit> exit();

    /// Asks the whole tree to end (TERM) and kills what is left after `grace`.
    void kill(Duration grace);

    /// Writes to standard input; blocks while the job does not read.
    void write(ByteBuffer data);

    /// Ends standard input; on a terminal, by the character that does so.
    void endInput();

    /// Writes to standard input if all of it can be taken now; returns whether it was.
    default boolean offer(ByteBuffer data) {
        write(data);
        return true;
    }

    /// Returns the process id inside the sandbox, when it is known; empty where nobody tells.
    default CompletableFuture<OptionalLong> pid() {
        return CompletableFuture.completedFuture(OptionalLong.empty());
    }

    /// Returns the folder it began in, once its process id is known; empty where nobody tells.
    default Optional<String> cwd() {
        return Optional.empty();
    }

    /// Keeps this job from leaving anything to its session. When this returns, its exit tells whether it had ended
    /// before.
    default void detach(Patience patience) {}

    /// Returns who asked for the job's end, where others than its starter can.
    default Optional<String> killedBy() {
        return Optional.empty();
    }

    /// Returns when the job ended, once it has.
    default Instant endedAt() {
        return Instant.now();
    }

    /// Gives up a job that did not end when it was told to.
    default void abandon() {}

    /// Lets go of a job that goes on without us; any other is left as it is.
    default void release() {}

    /// Changes the size of the job's terminal, if it has one.
    default void resize(JobSpec.Screen screen) {}
}
