package dev.talaria.engine.output;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// The last bytes of a stream. Most streams are short: the ring gets its full size when it is needed.
public final class LastBytes {
    private static final int FIRST_SIZE = 4096;

    private final int most;
    private byte[] ring = new byte[0];
    private int next;
    private long total;

    /// @param most how many bytes are kept
    public LastBytes(int most) {
        this.most = most;
    }

    /// Takes all remaining bytes, and copies only those that are kept.
    public void accept(ByteBuffer bytes) {
        int count = Math.min(bytes.remaining(), most);
        if (count == 0) {
            return;
        }
        grow(total + count);
        total += bytes.remaining();
        bytes.position(bytes.limit() - count);
        int first = Math.min(count, ring.length - next);
        bytes.get(ring, next, first);
        bytes.get(ring, 0, count - first);
        next = (next + count) % ring.length;
    }

    private void grow(long needed) {
        if (needed > ring.length && ring.length < most) {
            ring = Arrays.copyOf(ring, (int) Math.min(most, Math.max(FIRST_SIZE, 2 * needed)));
            next = (int) total; // nothing has wrapped before the full size
        }
    }

    /// Returns the number of bytes that came by.
    public long total() {
        return total;
    }

    /// Returns the last bytes, as far as they are still there.
    public byte[] last(int wanted) {
        int count = (int) Math.min(Math.min(wanted, ring.length), total);
        byte[] bytes = new byte[count];
        int start = Math.floorMod(next - count, Math.max(1, ring.length));
        int first = Math.min(count, ring.length - start);
        System.arraycopy(ring, start, bytes, 0, first);
        System.arraycopy(ring, 0, bytes, first, count - first);
        return bytes;
    }
}
