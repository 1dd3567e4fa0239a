package dev.talaria.engine.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A secret of well-known shape with a made-up value, in the text that it usually appears in; `secrets.txt` lists
/// them.
record SecretShape(String vendor, String place, String text, List<String> secrets) {

    private static final Pattern PIECE = Pattern.compile("\\{(~?)([A-Za-z0-9]+):(\\d+)}|\\{=([^}]*)}");
    private static final String UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final String LOWER = "abcdefghijklmnopqrstuvwxyz";
    private static final String DIGITS = "0123456789";

    /// How much of a secret may be seen in one piece: a mask shows its first six characters and its last four.
    private static final int SHORTEST_SEEN = 8;

    /// Returns the list with the values that `seed` makes.
    static List<SecretShape> all(long seed) throws IOException {
        var random = new Random(seed);
        try (var list = SecretShape.class.getResourceAsStream("secrets.txt")) {
            return new String(list.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> of(line, random))
                    .toList();
        }
    }

    private static SecretShape of(String line, Random random) {
        String[] parts = line.split(" \\| ", 3);
        String template = parts[2].replaceAll("(?<!\\\\)\\\\n", "\n").replace("\\\\n", "\\n");
        var secrets = new ArrayList<String>();
        String text = PIECE.matcher(template).replaceAll(piece -> {
            String value = piece.group(4) != null
                    ? piece.group(4)
                    : made(piece.group(2), Integer.parseInt(piece.group(3)), random);
            if (piece.group(4) != null || piece.group(1).isEmpty()) {
                secrets.add(value);
            }
            return Matcher.quoteReplacement(value);
        });
        return new SecretShape(parts[0], parts[1], text, List.copyOf(secrets));
    }

    private static String made(String kind, int length, Random random) {
        if (kind.equals("uuid")) {
            return new UUID(random.nextLong(), random.nextLong()).toString();
        }
        String characters = characters(kind);
        var made = new StringBuilder();
        while (made.length() < length) {
            made.append(characters.charAt(random.nextInt(characters.length())));
        }
        return made.toString();
    }

    private static String characters(String kind) {
        return switch (kind) {
            case "b62" -> UPPER + LOWER + DIGITS;
            case "b64" -> UPPER + LOWER + DIGITS + "+/";
            case "b64u" -> UPPER + LOWER + DIGITS + "_-";
            case "hex" -> DIGITS + "abcdef";
            case "HEX" -> DIGITS + "ABCDEF";
            case "dig" -> DIGITS;
            case "up" -> UPPER + DIGITS;
            case "low" -> LOWER + DIGITS;
            case "b32" -> UPPER + "234567";
            case "alpha" -> UPPER + LOWER;
            case "bech" -> "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L";
            default -> throw new IllegalArgumentException("unknown class of characters: " + kind);
        };
    }

    /// Returns whether the output shows eight characters in a row of a secret, or all of a shorter one.
    boolean isSeenIn(String output) {
        return secrets.stream().anyMatch(secret -> isSeen(secret, output));
    }

    private static boolean isSeen(String secret, String output) {
        int length = Math.min(SHORTEST_SEEN, secret.length());
        for (int from = 0; from + length <= secret.length(); from++) {
            if (output.contains(secret.substring(from, from + length))) {
                return true;
            }
        }
        return false;
    }
}
