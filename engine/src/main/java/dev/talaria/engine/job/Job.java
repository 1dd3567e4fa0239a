package dev.talaria.engine.job;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/// A script or program that was started, until its whole tree is dead and its output is read.
public interface Job {

    /// Returns a future that completes when the job has ended. It fails with a `SandboxException` if
    /// the job could not be started or the sandbox was lost.
    CompletableFuture<Exit> exit();

    /// Asks the whole tree to end (TERM), and kills the rest after `grace`.
    void kill(Duration grace);

    /// Writes to standard input; blocks while the job does not read.
    void write(ByteBuffer data);

    /// Ends standard input. On a terminal it sends the character for that.
    void endInput();

    /// Writes to standard input if there is room for all of it now. Returns whether it was written.
    default boolean offer(ByteBuffer data) {
        write(data);
        return true;
    }

    /// Returns the process id inside the sandbox, once it is known; empty if it never will be.
    default CompletableFuture<OptionalLong> pid() {
        return CompletableFuture.completedFuture(OptionalLong.empty());
    }

    /// Returns the folder that the job began in, once its process id is known; empty if it never will
    /// be.
    default Optional<String> cwd() {
        return Optional.empty();
    }

    /// Keeps this job from changing its session. When this returns, the exit tells whether the job
    /// had ended before.
    default void detach(Patience patience) {}

    /// Returns who ended the job, if others than its starter can.
    default Optional<String> killedBy() {
        return Optional.empty();
    }

    /// Returns when the job ended, if it has.
    default Instant endedAt() {
        return Instant.now();
    }

    /// Gives up a job that did not end after a kill.
    default void abandon() {}

    /// Stops watching a job that goes on without us. Does nothing to any other job.
    default void release() {}

    /// Changes the size of the job's terminal, if it has one.
    default void resize(JobSpec.Screen screen) {}
}
