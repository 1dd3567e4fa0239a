package dev.talaria.engine.job;

import dev.talaria.api.CallEvent;
import java.nio.ByteBuffer;

/// Takes a job's raw output. Called by one thread at a time per stream; the buffer is only lent.
@FunctionalInterface
public interface OutputSink {
    void accept(CallEvent.Stream stream, ByteBuffer data);
}
