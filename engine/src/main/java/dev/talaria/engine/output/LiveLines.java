package dev.talaria.engine.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;

/// Shows a stream while it runs: bytes in, whole cleaned lines out.
///
/// Each line is cleaned like the final text; a key block is masked over its lines. A line has at most
/// [#LONGEST_LINE] bytes: a progress bar that redraws itself keeps its latest state, any other line
/// its beginning. A flood is thinned out, so that showing it never slows its reader down: bytes
/// beyond the burst and a steady rate are left out, and a line tells how many.
///
/// One thread at a time.
public final class LiveLines {

    private static final int LONGEST_LINE = 8192;
    private static final long BURST = 2L << 20;
    private static final long BYTES_PER_SECOND = 1L << 20;
    private static final int LONGEST_CUT_TOKEN = 1024;

    private final Redactor redactor;
    private final Redactor.Mode mode;
    private final LineSink sink;
    private final InstantSource clock;
    private final PrivateKeys.Lines keys = new PrivateKeys.Lines();

    private final byte[] line = new byte[LONGEST_LINE];
    private int length;
    private long cutFromLine;

    private long allowance = BURST;
    private Instant lastRefill;
    private long leftOut;

    public LiveLines(Redactor redactor, Redactor.Mode mode, LineSink sink) {
        this(redactor, mode, sink, InstantSource.system());
    }

    LiveLines(Redactor redactor, Redactor.Mode mode, LineSink sink, InstantSource clock) {
        this.redactor = redactor;
        this.mode = mode;
        this.sink = sink;
        this.clock = clock;
        this.lastRefill = clock.instant();
    }

    /// Takes all remaining bytes of the chunk and shows the lines that are complete now.
    public void accept(ByteBuffer chunk) {
        refill();
        if (allowance <= 0) {
            leaveOut(chunk);
            return;
        }
        allowance -= chunk.remaining();
        if (leftOut > 0 && !resume(chunk)) {
            return;
        }
        while (chunk.hasRemaining()) {
            int lineEnd = indexOf(chunk, '\n');
            if (lineEnd < 0) {
                append(chunk, chunk.limit());
            } else {
                append(chunk, lineEnd);
                chunk.get();
                emit();
            }
        }
    }

    /// Shows a last line without a line end.
    public void finish() {
        if (leftOut > 0) {
            showLeftOut();
        } else if (length > 0) {
            emit();
        }
    }

    private void refill() {
        if (allowance >= BURST) {
            return;
        }
        Instant now = clock.instant();
        long millis = Math.clamp(Duration.between(lastRefill, now).toMillis(), 0, 60_000);
        if (millis > 0) {
            allowance = Math.min(BURST, allowance + millis * BYTES_PER_SECOND / 1000);
            lastRefill = now;
        } else if (now.isBefore(lastRefill)) {
            lastRefill = now; // the clock was set back
        }
    }

    private void leaveOut(ByteBuffer chunk) {
        leftOut += chunk.remaining() + length + cutFromLine;
        length = 0;
        cutFromLine = 0;
        chunk.position(chunk.limit());
    }

    /// Goes on at the start of the next line, if the chunk has one.
    private boolean resume(ByteBuffer chunk) {
        int lineEnd = indexOf(chunk, '\n');
        if (lineEnd < 0) {
            leaveOut(chunk);
            return false;
        }
        leftOut += lineEnd + 1 - chunk.position();
        chunk.position(lineEnd + 1);
        showLeftOut();
        return true;
    }

    private void showLeftOut() {
        sink.line(String.format(Locale.ROOT, "... [%,d bytes not shown live] ...", leftOut));
        leftOut = 0;
        keys.lostLines();
    }

    private void append(ByteBuffer chunk, int end) {
        while (chunk.position() < end) {
            if (length == LONGEST_LINE && !restartAtReturn(chunk, end)) {
                return;
            }
            int count = Math.min(end - chunk.position(), LONGEST_LINE - length);
            chunk.get(line, length, count);
            length += count;
        }
    }

    /// Makes room in a full line by dropping the text before its last carriage return. Returns false
    /// if the chunk's rest of the line had to be cut instead.
    private boolean restartAtReturn(ByteBuffer chunk, int end) {
        for (int i = length - 1; i > 0; i--) {
            if (line[i] == '\r') {
                System.arraycopy(line, i, line, 0, length - i);
                length -= i;
                return true;
            }
        }
        int from = chunk.position();
        int carriageReturn = indexOf(chunk, '\r');
        if (carriageReturn >= 0 && carriageReturn < end) {
            chunk.position(carriageReturn);
            length = 0;
            cutFromLine = 0;
            return true;
        }
        cutFromLine += end - from;
        chunk.position(end);
        return false;
    }

    private void emit() {
        boolean cut = cutFromLine > 0;
        int complete = cut ? WindowCleaner.completeLength(line, length) : length;
        String text = TerminalText.clean(new String(line, 0, complete, UTF_8));
        if (redactor.enabled()) {
            String masked = keys.mask(cut ? WindowCleaner.maskEnd(text, LONGEST_CUT_TOKEN) : text);
            text = redactor.redact(masked, mode);
        }
        sink.line(cut ? text + String.format(Locale.ROOT, " ... [%,d bytes cut]", cutFromLine) : text);
        length = 0;
        cutFromLine = 0;
    }

    private static int indexOf(ByteBuffer chunk, char wanted) {
        for (int i = chunk.position(); i < chunk.limit(); i++) {
            if (chunk.get(i) == wanted) {
                return i;
            }
        }
        return -1;
    }
}
