package dev.talaria.engine.tool.process;

import dev.talaria.api.CallEvent.Stream;
import dev.talaria.engine.job.OutputSink;
import java.nio.ByteBuffer;
import java.util.Optional;

/// Everything that wants a process's output: the buffer, the log file, and whoever watches for texts in it.
final class ProcessOutput implements OutputSink {
    private final RollingOutput recent;
    private final ProcessLog log;
    private final Optional<LogFile> written;
    private final Optional<OutputWatch> watch;
    private long position; // guarded by this: how much it has printed in all

    /// @param log where it can be read
    /// @param written what writes it there; absent if somebody else does that
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

    /// Takes note that what comes next begins at this byte of all that was printed.
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

    /// Lets go of what is only needed while the process runs.
    synchronized void close() {
        written.ifPresent(LogFile::close);
        watch.ifPresent(OutputWatch::close);
    }

    /// Drops it with its log: it was no process's in the end.
    void drop() {
        close();
        log.delete();
    }
}
