package dev.talaria.engine.decide.reading;

/// Texts with escapes, in which `\x72` is a letter: `$'...'`, and what `echo -e` and `printf` print.
final class AnsiQuotes {
    private final String text;
    private final StringBuilder out;
    private final boolean longOctal;
    private int at;

    private AnsiQuotes(String text, int at, StringBuilder out, boolean longOctal) {
        this.text = text;
        this.at = at;
        this.out = out;
        this.longOctal = longOctal;
    }

    /// Returns a text with its escapes resolved, as a format of `printf` has them.
    static String decode(String text) {
        StringBuilder out = new StringBuilder();
        new AnsiQuotes(text, 0, out, false).resolve('\0');
        return out.toString();
    }

    /// Returns a text with its escapes resolved, as `echo -e` and `%b` print it: `\0162` has four digits.
    static String decodeEcho(String text) {
        StringBuilder out = new StringBuilder();
        new AnsiQuotes(text, 0, out, true).resolve('\0');
        return out.toString();
    }

    /// Appends what stands from `at` up to the closing quote, and returns the place after it.
    static int read(String text, int at, StringBuilder out) {
        AnsiQuotes quotes = new AnsiQuotes(text, at, out, false);
        quotes.resolve('\'');
        return quotes.at;
    }

    private void resolve(char end) {
        boolean over = false; // behind a NUL, with which a text of C ends
        while (at < text.length() && (end == '\0' || text.charAt(at) != end)) {
            char c = text.charAt(at++);
            int length = out.length();
            if (c != '\\' || at >= text.length()) {
                out.append(c);
            } else {
                boolean more = escape(text.charAt(at++));
                if (over) {
                    out.setLength(length);
                }
                over |= !more;
                continue;
            }
            if (over) {
                out.setLength(length);
            }
        }
        at = Math.min(at + 1, text.length());
    }

    /// Returns false where the text ends for whoever gets it.
    private boolean escape(char kind) {
        switch (kind) {
            case 'x' -> {
                return number(2, 16);
            }
            case 'u' -> {
                return number(4, 16);
            }
            case 'U' -> {
                return number(8, 16);
            }
            case '0', '1', '2', '3', '4', '5', '6', '7' -> {
                at -= longOctal && kind == '0' ? 0 : 1;
                return number(3, 8);
            }
            case 'a' -> out.append('\007');
            case 'b' -> out.append('\b');
            case 'e', 'E' -> out.append('\033');
            case 'f' -> out.append('\f');
            case 'n' -> out.append('\n');
            case 'r' -> out.append('\r');
            case 't' -> out.append('\t');
            case 'v' -> out.append('\013');
            case 'c' -> {
                at = Math.min(at + 1, text.length());
                return !longOctal; // `echo` prints nothing behind it
            }
            case '\\', '\'', '"', '?' -> out.append(kind);
            default -> out.append('\\').append(kind);
        }
        return true;
    }

    private boolean number(int most, int radix) {
        int start = at;
        int value = 0;
        while (at < text.length() && at < start + most && Character.digit(text.charAt(at), radix) >= 0) {
            value = value * radix + Character.digit(text.charAt(at++), radix);
        }
        if (value == 0 && at > start) {
            return false;
        }
        if (Character.isValidCodePoint(value) && value > 0) {
            out.appendCodePoint(value);
        }
        return true;
    }
}
