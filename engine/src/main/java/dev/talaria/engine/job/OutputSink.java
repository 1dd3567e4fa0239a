package dev.talaria.engine.job;

import dev.talaria.api.CallEvent;
import java.nio.ByteBuffer;

/// Takes a job's raw output. One thread at a time calls it for each stream. The buffer is valid only
/// during the call.
@FunctionalInterface
public interface OutputSink {
    void accept(CallEvent.Stream stream, ByteBuffer data);

    /// Notes that there is no more output. This comes before the job's exit completes, so that a
    /// waiting thread finds all of the output.
    default void end() {}
}
