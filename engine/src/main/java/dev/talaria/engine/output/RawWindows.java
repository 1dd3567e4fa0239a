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
    private byte[] ring = new byte[0];
    private int ringNext;
    private long total;

    RawWindows(int headSize, int tailSize) {
        this.headSize = headSize;
        this.tailSize = tailSize;
    }

    /// Takes all remaining bytes, and copies only those that a window needs.
    void accept(ByteBuffer bytes) {
        total += bytes.remaining();
        int toHead = Math.min(bytes.remaining(), headSize - headLength);
        if (toHead > 0) {
            growHead(headLength + toHead);
            bytes.get(head, headLength, toHead);
            headLength += toHead;
        }
        if (bytes.hasRemaining()) {
            acceptTail(bytes);
        }
    }

    private void growHead(int needed) {
        if (needed > head.length) {
            int size = Math.max(Math.max(needed, FIRST_SIZE), head.length * 2);
            head = Arrays.copyOf(head, Math.min(size, headSize));
        }
    }

    private void acceptTail(ByteBuffer bytes) {
        if (ring.length == 0) {
            ring = new byte[tailSize];
        }
        if (bytes.remaining() > tailSize) {
            bytes.position(bytes.limit() - tailSize);
            ringNext = 0;
        }
        int first = Math.min(bytes.remaining(), tailSize - ringNext);
        bytes.get(ring, ringNext, first);
        int rest = bytes.remaining();
        bytes.get(ring, 0, rest);
        ringNext = rest > 0 ? rest : (ringNext + first) % tailSize;
    }

    long total() {
        return total;
    }

    /// Returns the number of bytes that fit before the middle is lost.
    long capacity() {
        return (long) headSize + tailSize;
    }

    boolean lost() {
        return total > capacity();
    }

    byte[] head() {
        return Arrays.copyOf(head, headLength);
    }

    /// Returns the last bytes in stream order, without those in the head.
    byte[] tail() {
        long length = total - headLength;
        if (length < tailSize) {
            return Arrays.copyOf(ring, (int) length);
        }
        byte[] bytes = new byte[tailSize];
        System.arraycopy(ring, ringNext, bytes, 0, tailSize - ringNext);
        System.arraycopy(ring, 0, bytes, tailSize - ringNext, ringNext);
        return bytes;
    }

    /// Returns head and tail joined: the whole stream as long as nothing is lost.
    byte[] joined() {
        byte[] last = tail();
        byte[] bytes = Arrays.copyOf(head, headLength + last.length);
        System.arraycopy(last, 0, bytes, headLength, last.length);
        return bytes;
    }
}
