package dev.talaria.engine.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/// A piece of the raw stream, with its cleaned text as UTF-8 bytes.
///
/// Cleaning keeps line ends, so the n-th raw line became the n-th cleaned line. So shown text can be
/// counted in raw bytes, by the rule in [CapturedOutput].
final class CleanedWindow {

    /// The head's end if no head is shown.
    static final int NO_HEAD = -1;

    /// The tail's start if no tail is shown.
    static final int NO_TAIL = Integer.MAX_VALUE;

    private final byte[] raw;
    private final byte[] clean;

    CleanedWindow(byte[] raw, String text) {
        this.raw = raw;
        this.clean = text.getBytes(UTF_8);
    }

    /// Returns the cleaned text's length in bytes.
    int length() {
        return clean.length;
    }

    /// Returns the end of a head of at most `most` bytes, at a character's boundary.
    int headEnd(int most) {
        int cut = Math.min(most, clean.length);
        while (cut > 0 && cut < clean.length && isContinuation(clean[cut])) {
            cut--;
        }
        return cut;
    }

    /// Returns the start of a tail of at most `most` bytes, at a character's boundary.
    int tailStart(int most) {
        int cut = Math.max(0, clean.length - most);
        while (cut < clean.length && isContinuation(clean[cut])) {
            cut++;
        }
        return cut;
    }

    private static boolean isContinuation(byte b) {
        return (b & 0xc0) == 0x80;
    }

    String text() {
        return new String(clean, UTF_8);
    }

    String head(int end) {
        return new String(clean, 0, end, UTF_8);
    }

    String tail(int start) {
        return new String(clean, start, clean.length - start, UTF_8);
    }

    /// Returns the number of raw bytes for the cleaned bytes before `headEnd` and from `tailStart`
    /// on.
    long rawBytes(int headEnd, int tailStart) {
        if (Arrays.equals(raw, clean)) {
            return (long) Math.max(0, headEnd) + Math.max(0, clean.length - tailStart);
        }
        long sum = 0;
        int rawFrom = 0;
        int from = 0;
        while (rawFrom < raw.length) {
            int rawTo = lineEnd(raw, rawFrom);
            int to = lineEnd(clean, from);
            int headBytes = Math.clamp((long) headEnd - from, 0, to - from);
            int tailBytes = Math.clamp((long) to - tailStart, 0, to - from);
            boolean emptyShown = from == to && (headEnd >= from || tailStart <= from);
            if (headBytes + tailBytes > 0 || emptyShown) {
                boolean exact = isPrefix(rawFrom, rawTo, from, headBytes) && isSuffix(rawFrom, rawTo, to, tailBytes);
                boolean whole = headBytes + tailBytes == to - from || !exact;
                sum += whole ? rawTo - rawFrom : Math.min(rawTo - rawFrom, headBytes + tailBytes);
            }
            rawFrom = rawTo;
            from = to;
        }
        return sum;
    }

    private boolean isPrefix(int rawFrom, int rawTo, int from, int length) {
        return rawTo - rawFrom >= length && Arrays.equals(raw, rawFrom, rawFrom + length, clean, from, from + length);
    }

    private boolean isSuffix(int rawFrom, int rawTo, int to, int length) {
        return rawTo - rawFrom >= length && Arrays.equals(raw, rawTo - length, rawTo, clean, to - length, to);
    }

    /// Returns the end of the line that begins at `from`, with its line end.
    private static int lineEnd(byte[] bytes, int from) {
        int i = from;
        while (i < bytes.length) {
            if (bytes[i++] == '\n') {
                return i;
            }
        }
        return i;
    }
}
