package dev.talaria.mcp;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/// Reads a client's messages, one per line. A line that is too long is read to its end and refused, so the next
/// line is not lost. Only one thread uses it.
final class Inbox {
    private static final int USUAL = 64 << 10;
    private static final int GENEROUS = 1 << 20;

    private final InputStream in;
    private final int longest;
    private byte[] buffer = new byte[USUAL];
    private int start;
    private int end;

    Inbox(InputStream in, int longest) {
        this.in = in;
        this.longest = longest;
    }

    /// Waits for the next message and returns it.
    Inbound next() throws IOException {
        int seen = 0;
        while (true) {
            int newline = newline(start + seen, end);
            if (newline >= 0 && newline - start <= longest) {
                return take(newline, 1);
            }
            if (newline >= 0 || end - start > longest) {
                return Inbound.tooLong(new RestOfLine(), longest);
            }
            seen = end - start;
            if (!fill()) {
                return seen == 0 ? new Inbound.End() : take(end, 0);
            }
        }
    }

    private Inbound take(int lineEnd, int terminator) {
        Inbound message = Inbound.of(buffer, start, lineEnd - start);
        start = lineEnd + terminator;
        if (start == end) {
            empty();
        }
        return message;
    }

    private void empty() {
        start = 0;
        end = 0;
        if (buffer.length > GENEROUS) {
            buffer = new byte[USUAL];
        }
    }

    private int newline(int from, int to) {
        for (int i = from; i < to; i++) {
            if (buffer[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    /// Reads more bytes into the buffer. Returns whether there were any.
    private boolean fill() throws IOException {
        if (end == buffer.length && start > 0) {
            System.arraycopy(buffer, start, buffer, 0, end - start);
            end -= start;
            start = 0;
        } else if (end == buffer.length) {
            buffer = Arrays.copyOf(buffer, (int) Math.min(2L * buffer.length, (long) longest + USUAL));
        }
        // At most the size of a pipe: the JDK copies through a native buffer of the requested size.
        int count = in.read(buffer, end, Math.min(buffer.length - end, USUAL));
        end += Math.max(0, count);
        return count >= 0;
    }

    /// The rest of the current line. It leaves the next line in the buffer.
    private final class RestOfLine extends InputStream {
        private boolean over;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (over || !more()) {
                over = true;
                return -1;
            }
            int most = Math.min(end, start + length);
            int newline = newline(start, most);
            int count = (newline < 0 ? most : newline) - start;
            System.arraycopy(buffer, start, target, offset, count);
            start += count;
            return count;
        }

        /// Returns whether the buffer has another byte of this line; otherwise steps over the newline.
        private boolean more() throws IOException {
            if (start == end) {
                empty();
                if (!fill() || end == 0) {
                    return false;
                }
            }
            if (buffer[start] == '\n') {
                start++;
                return false;
            }
            return true;
        }
    }
}
