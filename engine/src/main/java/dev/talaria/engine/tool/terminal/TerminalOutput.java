package dev.talaria.engine.tool.terminal;

import dev.talaria.api.CallEvent.Stream;
import dev.talaria.engine.job.OutputSink;
import dev.talaria.engine.output.CapturedOutput;
import dev.talaria.engine.output.OutputCapture;
import java.nio.ByteBuffer;

/// Captures and counts the output of a command on both streams.
final class TerminalOutput implements OutputSink, AutoCloseable {
    private final OutputCapture capture;
    private long chars; // guarded by this

    TerminalOutput(OutputCapture capture) {
        this.capture = capture;
    }

    @Override
    public synchronized void accept(Stream stream, ByteBuffer data) { // direct exec has a thread for each stream
        for (int at = data.position(); at < data.limit(); at++) {
            chars += (data.get(at) & 0xc0) == 0x80 ? 0 : 1; // a byte that continues a character
        }
        capture.accept(data);
    }

    synchronized CapturedOutput finish(boolean failed) {
        return capture.finish(failed);
    }

    /// Returns the number of characters. Broken UTF-8 counts roughly.
    synchronized long chars() {
        return chars;
    }

    @Override
    public void close() {
        capture.close();
    }
}
