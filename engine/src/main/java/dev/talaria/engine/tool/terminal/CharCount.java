package dev.talaria.engine.tool.terminal;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/// Counts the characters of a stream, however it is cut. Broken UTF-8 counts roughly.
final class CharCount {
    private final AtomicLong total = new AtomicLong();

    /// Takes all remaining bytes.
    void accept(ByteBuffer data) {
        long count = 0;
        for (int at = data.position(); at < data.limit(); at++) {
            count += (data.get(at) & 0xc0) == 0x80 ? 0 : 1; // a byte that continues a character
        }
        total.addAndGet(count);
    }

    long total() {
        return total.get();
    }
}
