package dev.talaria.engine.job;

import dev.talaria.api.CallEvent;
import java.nio.ByteBuffer;

/// Takes a job's raw output. One thread at a time calls it for each stream. The buffer is valid only
/// during the call.
@FunctionalInterface
public interface OutputSink {
    void accept(CallEvent.Stream stream, ByteBuffer data);
}
