package dev.talaria.engine.output;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// The first and the last bytes of a stream. A stream that fits both windows is complete; of a longer
/// one the middle is lost.
final class RawWindows {

    private static final int FIRST_SIZE = 1024;

    private final int headSize;
    private final int tailSize;
    private byte[] head = new byte[0];
    private int headLength;
    private final LastBytes tail;

    RawWindows(int headSize, int tailSize) {
        this.headSize = headSize;
        this.tailSize = tailSize;
        this.tail = new LastBytes(tailSize);
    }

    /// Takes all remaining bytes, and copies only those that a window needs.
    void accept(ByteBuffer bytes) {
        int toHead = Math.min(bytes.remaining(), headSize - headLength);
        if (toHead > 0) {
            growHead(headLength + toHead);
            bytes.get(head, headLength, toHead);
            headLength += toHead;
        }
        tail.accept(bytes);
    }

    private void growHead(int needed) {
        if (needed > head.length) {
            int size = Math.max(Math.max(needed, FIRST_SIZE), head.length * 2);
            head = Arrays.copyOf(head, Math.min(size, headSize));
        }
    }

    long total() {
        return headLength + tail.total();
    }

    /// Returns the number of bytes that fit before the middle is lost.
    long capacity() {
        return (long) headSize + tailSize;
    }

    boolean lost() {
        return total() > capacity();
    }

    byte[] head() {
        return Arrays.copyOf(head, headLength);
    }

    /// Returns the last bytes in stream order, without those in the head.
    byte[] tail() {
        return tail.last(tailSize);
    }

    /// Returns head and tail joined: the whole stream as long as nothing is lost.
    byte[] joined() {
        byte[] last = tail();
        byte[] bytes = Arrays.copyOf(head, headLength + last.length);
        System.arraycopy(last, 0, bytes, headLength, last.length);
        return bytes;
    }
}
