package dev.talaria.backends.ssh;

import java.security.SecureRandom;
import java.util.HexFormat;

/// Makes words that nobody else prints.
final class RandomMark {
    private static final SecureRandom RANDOM = new SecureRandom();

    private RandomMark() {}

    static String fresh() {
        byte[] bytes = new byte[16];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
