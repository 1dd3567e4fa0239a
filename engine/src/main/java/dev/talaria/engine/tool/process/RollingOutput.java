package dev.talaria.engine.tool.process;

import dev.talaria.engine.output.Excerpt;
import dev.talaria.engine.output.Redactor;
import dev.talaria.engine.shell.CommandMasking;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The last bytes of a process's output, raw; cleaned when somebody looks.
final class RollingOutput {
    static final int CAPACITY = 200_000;

    private static final int FIRST_SIZE = 4096;
    private static final int LONGEST_LINE = 4096;

    private final Redactor redactor;
    private volatile Redactor.Mode mode; // FULL from the moment on that somebody asked for secrets
    private String typed = ""; // the line that is not ended yet; guarded by this
    private byte[] ring = new byte[0]; // this and below: guarded by this
    private int next;
    private long total;
    private @Nullable ProcessView shown; // what was asked for last: a process that says nothing is polled for free

    private record ProcessView(long total, int chars, Tail tail) {}

    /// The end of the output, cleaned.
    ///
    /// @param cut whether there was more before it
    record Tail(String text, boolean cut) {}

    RollingOutput(Redactor redactor, Redactor.Mode mode) {
        this.redactor = redactor;
        this.mode = mode;
    }

    /// Takes all remaining bytes.
    synchronized void accept(ByteBuffer data) {
        int count = data.remaining();
        total += count;
        if (count > CAPACITY) {
            data.position(data.limit() - CAPACITY);
        }
        grow(data.remaining());
        while (data.hasRemaining()) {
            int part = Math.min(data.remaining(), ring.length - next);
            data.get(ring, next, part);
            next = (next + part) % ring.length;
        }
    }

    /// Most processes say little: the ring gets its full size when it is needed.
    private void grow(int more) {
        if (ring.length == CAPACITY || total <= ring.length) {
            return;
        }
        int used = (int) Math.min(total - more, ring.length);
        int wanted = (int) Math.min(CAPACITY, Math.max(FIRST_SIZE, 2 * total));
        ring = Arrays.copyOf(ring, wanted); // nothing has wrapped before the full size
        next = Math.max(0, used) % wanted;
    }

    /// Returns how this output is masked.
    Redactor.Mode mode() {
        return mode;
    }

    /// Notes what was typed: a shell may be asked for its variables.
    synchronized void typed(String text) {
        typed = (typed + text).replace('\r', '\n');
        if (CommandMasking.of(typed) == Redactor.Mode.FULL) {
            mode = Redactor.Mode.FULL;
            shown = null;
        }
        String open = typed.substring(typed.lastIndexOf('\n') + 1); // a line may come in pieces
        typed = open.substring(Math.max(0, open.length() - LONGEST_LINE));
    }

    synchronized long total() {
        return total;
    }

    /// Returns at most `chars` characters of the end, cleaned.
    String tail(int chars) {
        return end(chars).text;
    }

    /// Returns at most `chars` characters of the end, cleaned.
    Tail end(int chars) {
        long at;
        byte[] raw;
        boolean cut;
        synchronized (this) {
            ProcessView last = shown;
            if (last != null && last.total == total && last.chars == chars) {
                return last.tail;
            }
            at = total;
            raw = last(Math.min(CAPACITY, 6 * chars + 2048)); // room for colours and wide letters
            cut = raw.length < total;
        }
        String text = Excerpt.of(raw, cut, redactor, mode);
        String last = Excerpt.last(text, chars);
        Tail tail = new Tail(last, cut || last.length() < text.length());
        synchronized (this) {
            shown = new ProcessView(at, chars, tail);
        }
        return tail;
    }

    /// Returns the last bytes, raw, as far as they are still there.
    synchronized byte[] last(int wanted) {
        int count = (int) Math.min(Math.min(wanted, ring.length), total);
        byte[] bytes = new byte[count];
        int start = ring.length == 0 ? 0 : Math.floorMod(next - count, ring.length);
        int first = Math.min(count, ring.length - start);
        System.arraycopy(ring, start, bytes, 0, first);
        System.arraycopy(ring, 0, bytes, first, count - first);
        return bytes;
    }
}
