package dev.talaria.engine.start;

import java.nio.ByteBuffer;
import java.time.Duration;
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

    /// Ends standard input.
    void endInput();
}
