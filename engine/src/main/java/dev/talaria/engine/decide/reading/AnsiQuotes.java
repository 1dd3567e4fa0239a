package dev.talaria.engine.decide.reading;

/// Texts of the form `$'...'`, in which `\x72` is a letter.
final class AnsiQuotes {
    private AnsiQuotes() {}

    /// Returns a text with its escapes resolved, as `echo -e` and `printf` print it.
    static String decode(String text) {
        StringBuilder out = new StringBuilder();
        resolve(text, 0, '\0', out);
        return out.toString();
    }

    /// Appends what stands from `at` up to the closing quote, and returns the place after it.
    static int read(String text, int at, StringBuilder out) {
        return resolve(text, at, '\'', out);
    }

    private static int resolve(String text, int at, char end, StringBuilder out) {
        int i = at;
        while (i < text.length() && text.charAt(i) != end) {
            char c = text.charAt(i++);
            if (c != '\\' || i >= text.length()) {
                out.append(c);
                continue;
            }
            char kind = text.charAt(i++);
            switch (kind) {
                case 'x' -> i = number(text, i, 2, 16, out);
                case 'u' -> i = number(text, i, 4, 16, out);
                case 'U' -> i = number(text, i, 8, 16, out);
                case '0', '1', '2', '3', '4', '5', '6', '7' -> i = number(text, i - 1, 3, 8, out);
                case 'n', 'r', 'v', 'f' -> out.append('\n');
                case 't' -> out.append('\t');
                case 'a', 'b', 'e', 'E' -> {}
                case 'c' -> i = Math.min(i + 1, text.length());
                default -> out.append(kind);
            }
        }
        return Math.min(i + 1, text.length());
    }

    private static int number(String text, int start, int most, int radix, StringBuilder out) {
        int i = start;
        int value = 0;
        while (i < text.length() && i < start + most && Character.digit(text.charAt(i), radix) >= 0) {
            value = value * radix + Character.digit(text.charAt(i++), radix);
        }
        if (Character.isValidCodePoint(value) && value > 0) {
            out.appendCodePoint(value);
        }
        return i;
    }
}
