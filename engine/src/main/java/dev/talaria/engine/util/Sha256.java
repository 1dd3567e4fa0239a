package dev.talaria.engine.util;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Computes SHA-256 digests.
public final class Sha256 {
    private Sha256() {}

    /// Returns the digest of the bytes in hexadecimal digits.
    public static String of(byte[] bytes) {
        return HexFormat.of().formatHex(digest().digest(bytes));
    }

    /// Returns the digest of a file's first bytes in hexadecimal digits.
    public static String of(FileChannel channel, long count) throws IOException {
        MessageDigest digest = digest();
        ByteBuffer buffer = ByteBuffer.allocate(1 << 18);
        for (long at = 0; at < count; ) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), count - at));
            int read = channel.read(buffer, at);
            if (read < 0) {
                break;
            }
            digest.update(buffer.flip());
            at += read;
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }
}
