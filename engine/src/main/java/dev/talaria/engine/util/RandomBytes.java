package dev.talaria.engine.util;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;

/// Bytes that nobody can guess, straight from the kernel: `SecureRandom` asks the same source, but setting it up costs
/// every start 10 ms.
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

    /// Returns that many bytes in hexadecimal digits, two for each.
    public static String hex(int count) {
        return HexFormat.of().formatHex(of(count));
    }
}
