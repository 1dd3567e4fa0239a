package dev.talaria.engine.output;

import java.util.Locale;
import java.util.regex.Pattern;

/// Writes the texts that replace secrets.
final class Masks {

    static final String STARS = "***";
    static final String PRIVATE_KEY = "[REDACTED PRIVATE KEY]";

    private static final int SHORTEST_PARTLY_SHOWN = 18;
    private static final Pattern CONTROL =
            Pattern.compile("[\\x00-\\x1f\\x7f\\u200b-\\u200f\\u2028-\\u202f\\u2060\\ufeff]");
    private static final Pattern MASKED = Pattern.compile(
            "(?:\\*{3,}+|\\S{6}\\.\\.\\.\\S{4}|«redacted[^»]{0,40}+»|\\[REDACTED.*|\\S{2,4}\\*{4}\\S{2,4})[;,.)}]{0,4}+");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$?\\{[^}]{0,200}+}|\\{\\{[^}]{0,200}+}}|"
            + "\\$\\w{1,200}+|\\$\\([^)]{0,200}+\\)|%\\w{1,80}+%|%s|<[^>]{1,200}+>");

    private Masks() {}

    /// Returns the mask for a secret: its first and last characters, or for a file a sentinel that
    /// nobody can write back as a key.
    static String of(String secret, String prefix, Redactor.Mode mode) {
        return mode.isFile() ? sentinel(prefix) : headTail(secret);
    }

    /// Returns the mask for a secret of which nothing may be shown: a person's password, or a secret
    /// of unknown shape.
    static String hidden(Redactor.Mode mode) {
        return mode.isFile() ? sentinel("") : STARS;
    }

    private static String headTail(String secret) {
        String visible = CONTROL.matcher(secret).replaceAll("");
        if (visible.length() < SHORTEST_PARTLY_SHOWN
                || visible.chars().anyMatch(c -> Character.isSurrogate((char) c))) {
            return STARS;
        }
        return visible.substring(0, 6) + "..." + visible.substring(visible.length() - 4);
    }

    private static String sentinel(String prefix) {
        return prefix.isEmpty() ? "«redacted-secret»" : "«redacted:" + prefix + "…»";
    }

    static String phone(String number) {
        int kept = number.length() <= 8 ? 2 : 4;
        return number.substring(0, kept) + "****" + number.substring(number.length() - kept);
    }

    static boolean isMasked(String value) {
        return MASKED.matcher(value).matches();
    }

    /// Returns whether the value only refers to a secret: a template's braces, a shell variable, an
    /// environment lookup.
    static boolean isReference(String value) {
        return PLACEHOLDER.matcher(value).matches() || isLookup(value);
    }

    static boolean isLookup(String value) {
        String lower = value.toLowerCase(Locale.ROOT);
        return lower.startsWith("os.getenv")
                || lower.startsWith("os.environ")
                || lower.startsWith("process.env")
                || lower.startsWith("system.getenv")
                || lower.startsWith("$env{")
                || lower.startsWith("$env:");
    }

    /// Returns the line ends of `text`, which a mask must keep.
    static String lineEnds(String text, int from, int to) {
        int count = 0;
        for (int i = text.indexOf('\n', from); i >= 0 && i < to; i = text.indexOf('\n', i + 1)) {
            count++;
        }
        return "\n".repeat(count);
    }
}
