package dev.talaria.engine.output;

import dev.talaria.engine.output.SpillTarget.Result;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Captures one stream of a run and returns the text to show.
///
/// The raw stream is kept as a head window and a tail ring, each four times its share of the cap. It
/// goes raw to a spill file as soon as it outgrows them. Only the windows are cleaned. However long
/// the stream, memory stays at four times the cap.
///
/// One reader calls [#accept]. [#finish] may come from another thread, even while a listener to the
/// live output blocks the reader: a stuck listener does not delay the result.
public final class OutputCapture implements AutoCloseable {

    private final CaptureLimits limits;
    private final Redactor.Mode mode;
    private final WindowCleaner cleaner;
    private final SpillTarget spills;
    private final Object lock = new Object();
    private final RawWindows windows; // guarded by lock
    private SpillTarget.@Nullable Sink spill; // guarded by lock
    private boolean closed; // guarded by lock
    private final ReentrantLock showing = new ReentrantLock();
    private final @Nullable LiveLines live; // guarded by showing

    /// Captures the output of a script or an ordinary command.
    public OutputCapture(CaptureLimits limits, Redactor redactor, SpillTarget spills, LineSink live) {
        this(limits, redactor, Redactor.Mode.CODE, spills, live);
    }

    public OutputCapture(
            CaptureLimits limits, Redactor redactor, Redactor.Mode mode, SpillTarget spills, LineSink live) {
        this.limits = limits;
        this.mode = mode;
        this.cleaner = new WindowCleaner(redactor, mode);
        this.spills = spills;
        this.windows = new RawWindows(limits.headWindow(), limits.tailWindow());
        this.live = live.equals(LineSink.NONE) ? null : new LiveLines(redactor, mode, live);
    }

    /// Takes all remaining bytes of the chunk; after [#finish] they are ignored.
    public void accept(ByteBuffer chunk) {
        ByteBuffer shown = chunk.duplicate();
        synchronized (lock) {
            if (closed) {
                chunk.position(chunk.limit());
                return;
            }
            spillIfTooLong(chunk);
            windows.accept(chunk);
        }
        if (live != null) {
            showing.lock();
            try {
                live.accept(shown);
            } finally {
                showing.unlock();
            }
        }
    }

    private void spillIfTooLong(ByteBuffer chunk) {
        if (spill != null || windows.total() + chunk.remaining() > windows.capacity()) {
            spill().write(chunk.duplicate());
        }
    }

    /// Returns the spill. It is opened with the content of the windows, which is the whole stream until then.
    private SpillTarget.Sink spill() {
        var sink = spill;
        if (sink == null) {
            sink = spills.open(mode);
            sink.write(ByteBuffer.wrap(windows.joined()));
            spill = sink;
        }
        return sink;
    }

    /// Ends the stream and returns the output to show.
    ///
    /// @param failed whether the run failed; limits without `headTail` then show only the end
    public CapturedOutput finish(boolean failed) {
        if (live != null && showing.tryLock()) {
            try {
                live.finish();
            } finally {
                showing.unlock();
            }
        }
        synchronized (lock) {
            closed = true;
            boolean tailOnly = failed && !limits.headTail();
            return windows.lost() ? cutStream(tailOnly) : wholeStream(tailOnly);
        }
    }

    private CapturedOutput wholeStream(boolean tailOnly) {
        CleanedWindow all = cleaner.whole(windows.joined());
        if (all.length() <= limits.cap()) {
            long total = windows.total();
            return new CapturedOutput(all.text(), false, total, total, 0, Optional.empty(), Optional.empty());
        }
        if (tailOnly) {
            int tailStart = all.tailStart(limits.cap());
            return truncated("", all.tail(tailStart), all.rawBytes(CleanedWindow.NO_HEAD, tailStart));
        }
        int headEnd = all.headEnd(limits.headShare());
        int tailStart = all.tailStart(limits.tailShare());
        return truncated(all.head(headEnd), all.tail(tailStart), all.rawBytes(headEnd, tailStart));
    }

    private CapturedOutput cutStream(boolean tailOnly) {
        int tailShare = tailOnly ? limits.cap() : limits.tailShare();
        CleanedWindow tail = cleaner.tail(windows.tail(), tailShare);
        int tailStart = tail.tailStart(tailShare);
        long captured = tail.rawBytes(CleanedWindow.NO_HEAD, tailStart);
        if (tailOnly) {
            return truncated("", tail.tail(tailStart), captured);
        }
        CleanedWindow head = cleaner.head(windows.head(), limits.headShare());
        int headEnd = head.headEnd(limits.headShare());
        captured += head.rawBytes(headEnd, CleanedWindow.NO_TAIL);
        return truncated(head.head(headEnd), tail.tail(tailStart), captured);
    }

    private CapturedOutput truncated(String head, String tail, long captured) {
        long total = windows.total();
        long omitted = total - captured;
        String notice = String.format(
                Locale.ROOT, "... [OUTPUT TRUNCATED - %,d bytes omitted out of %,d total] ...\n\n", omitted, total);
        String separator = head.isEmpty() ? "" : "\n\n";
        Result spilled = spill().finish();
        return new CapturedOutput(
                head + separator + notice + tail, true, captured, total, omitted, spilled.file(), spilled.note());
    }

    /// Releases the spill file. Call it when a run ends without [#finish]; after it, it does nothing.
    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            var sink = spill;
            if (sink != null) {
                sink.finish();
            }
        }
    }
}
