package dev.talaria.backends.ssh;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A stream without everything up to a certain line: rc files print before it. A stream that ends
/// before that line is passed on unchanged, since it tells why.
final class StreamAfterMark extends InputStream {
    private static final int MOST_KEPT = 1 << 16;

    private final InputStream stream;
    private final byte[] line;
    private byte[] held = new byte[0]; // bytes not yet passed on; this and the next two belong to the reading thread
    private int at;
    private boolean begun;

    StreamAfterMark(InputStream stream, String mark) {
        this.stream = stream;
        this.line = ("\n" + mark + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (!begun) {
            look();
        }
        if (at == held.length) {
            return stream.read(into, offset, length);
        }
        int count = Math.min(length, held.length - at);
        System.arraycopy(held, at, into, offset, count);
        at += count;
        return count;
    }

    private void look() throws IOException {
        byte[] more = new byte[1 << 13];
        int count = stream.read(more);
        if (count < 0) {
            begun = true;
            return;
        }
        int kept = Math.min(held.length, MOST_KEPT);
        byte[] all = Arrays.copyOfRange(held, held.length - kept, held.length + count);
        System.arraycopy(more, 0, all, kept, count);
        held = all;
        int found = indexOf(Math.max(0, kept - line.length));
        if (found >= 0) {
            at = found + line.length;
            begun = true;
        }
    }

    private int indexOf(int from) {
        for (int start = from; start <= held.length - line.length; start++) {
            if (Arrays.equals(held, start, start + line.length, line, 0, line.length)) {
                return start;
            }
        }
        return -1;
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
