package dev.talaria.engine.util;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;

/// Random bytes that nobody can guess, read from the kernel. `SecureRandom` uses the same source, but its setup
/// takes 10 ms of every start.
public final class RandomBytes {
    private RandomBytes() {}

    public static byte[] of(int count) {
        try (InputStream in = new FileInputStream("/dev/urandom")) {
            byte[] bytes = in.readNBytes(count);
            if (bytes.length < count) {
                throw new IOException("it ended");
            }
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read /dev/urandom.", e);
        }
    }

    /// Returns `count` random bytes as hexadecimal digits, two for each byte.
    public static String hex(int count) {
        return HexFormat.of().formatHex(of(count));
    }
}
