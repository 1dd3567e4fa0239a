package dev.talaria.engine.tool.process;

import dev.talaria.api.CallEvent.Stream;
import dev.talaria.engine.job.OutputSink;
import java.nio.ByteBuffer;
import java.util.Optional;

/// Passes a process's output to the buffer, to the log file and to the watch for texts.
final class ProcessOutput implements OutputSink {
    private final RollingOutput recent;
    private final ProcessLog log;
    private final Optional<LogFile> written;
    private final Optional<OutputWatch> watch;
    private long position; // guarded by this: the bytes printed in all

    /// @param log reads the log
    /// @param written writes the log; absent if a guardian does
    ProcessOutput(RollingOutput recent, ProcessLog log, Optional<LogFile> written, Optional<OutputWatch> watch) {
        this.recent = recent;
        this.log = log;
        this.written = written;
        this.watch = watch;
    }

    @Override
    public synchronized void accept(Stream stream, ByteBuffer data) { // direct exec has a thread for each stream
        position += data.remaining();
        recent.accept(data.duplicate());
        written.ifPresent(log -> log.accept(data.duplicate()));
        watch.ifPresent(one -> one.accept(data.duplicate(), position));
    }

    /// Notes that the next output begins at this byte of the whole output.
    synchronized void at(long start) {
        position = start;
    }

    synchronized long position() {
        return position;
    }

    RollingOutput recent() {
        return recent;
    }

    ProcessLog log() {
        return log;
    }

    /// Closes the log file and ends the watch.
    synchronized void close() {
        written.ifPresent(LogFile::close);
        watch.ifPresent(OutputWatch::close);
    }

    /// Closes the output and deletes its log, for a command that did not become a process.
    void drop() {
        close();
        log.delete();
    }
}
