package dev.talaria.engine.tool.process;

import dev.talaria.engine.output.Excerpt;
import dev.talaria.engine.output.LastBytes;
import dev.talaria.engine.output.Redactor;
import dev.talaria.engine.shell.CommandMasking;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The last bytes of a process's output. They are kept raw and cleaned for each reader.
final class RollingOutput {
    static final int CAPACITY = 200_000;

    private static final int LONGEST_LINE = 4096;

    private final Redactor redactor;
    private volatile Redactor.Mode mode; // FULL as soon as a caller asked for secrets
    private String typed = ""; // the line that has not ended; guarded by this
    private final LastBytes bytes = new LastBytes(CAPACITY); // this and the next: guarded by this
    private @Nullable CachedTail cached; // the last answer: polling a silent process costs nothing

    private record CachedTail(long total, int chars, Tail tail) {}

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
        bytes.accept(data);
    }

    /// Returns how this output is masked.
    Redactor.Mode mode() {
        return mode;
    }

    /// Notes the text that was typed: it may ask a shell for its variables.
    synchronized void typed(String text) {
        typed = (typed + text).replace('\r', '\n');
        if (CommandMasking.of(typed) == Redactor.Mode.FULL) {
            mode = Redactor.Mode.FULL;
            cached = null;
        }
        String open = typed.substring(typed.lastIndexOf('\n') + 1); // a line may arrive in pieces
        typed = open.substring(Math.max(0, open.length() - LONGEST_LINE));
    }

    synchronized long total() {
        return bytes.total();
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
            at = bytes.total();
            CachedTail last = cached;
            if (last != null && last.total == at && last.chars == chars) {
                return last.tail;
            }
            raw = last(Math.min(CAPACITY, 6 * chars + 2048)); // room for colours and wide letters
            cut = raw.length < at;
        }
        String text = Excerpt.of(raw, cut, redactor, mode);
        String last = Excerpt.last(text, chars);
        Tail tail = new Tail(last, cut || last.length() < text.length());
        synchronized (this) {
            cached = new CachedTail(at, chars, tail);
        }
        return tail;
    }

    /// Returns the last bytes, raw, as far as they are still here.
    synchronized byte[] last(int wanted) {
        return bytes.last(wanted);
    }
}
