package dev.talaria.engine.gate.reading;

import java.util.Optional;

/// Resolves escapes such as `\x72`: in `$'...'`, and in what `echo -e` and `printf` print. Each
/// dialect has escapes of its own. Unusual escapes are not computed.
final class AnsiQuotes {
    enum Dialect {
        /// `$'...'`
        QUOTES,
        /// The format of `printf`.
        FORMAT,
        /// `echo -e`, and `%b` of `printf`.
        ECHO
    }

    private final String text;
    private final StringBuilder out;
    private final Dialect dialect;
    private int at;
    private boolean nul;

    private AnsiQuotes(String text, int at, StringBuilder out, Dialect dialect) {
        this.text = text;
        this.at = at;
        this.out = out;
        this.dialect = dialect;
    }

    /// Returns a text with its escapes resolved as in `$'...'`. A mark stands for each escape that is
    /// not computed.
    static String decode(String text) {
        StringBuilder out = new StringBuilder();
        AnsiQuotes quotes = new AnsiQuotes(text, 0, out, Dialect.QUOTES);
        while (quotes.at < text.length()) {
            char c = text.charAt(quotes.at++);
            if (c != '\\' || quotes.at >= text.length()) {
                out.append(c);
                continue;
            }
            int length = out.length();
            boolean usual = quotes.escape();
            if (quotes.nul) {
                return out.toString(); // a NUL ends a text in C
            }
            if (!usual) {
                out.setLength(length);
                out.append(UnknownValues.MADE);
            }
        }
        return out.toString();
    }

    /// Returns what `echo -e` and `%b` print; nothing if an escape is not computed.
    static Optional<String> echoed(String text) {
        StringBuilder out = new StringBuilder();
        AnsiQuotes quotes = new AnsiQuotes(text, 0, out, Dialect.ECHO);
        while (quotes.at < text.length()) {
            char c = text.charAt(quotes.at++);
            if (c != '\\') {
                out.append(c);
            } else if (quotes.at >= text.length() || !quotes.escape()) {
                return Optional.empty();
            }
        }
        return Optional.of(out.toString());
    }

    /// Appends the character that one escape in a format of `printf` stands for.
    ///
    /// @param at the place behind the backslash
    /// @return the place behind the escape; -1 if the escape is not computed
    static int escape(String text, int at, StringBuilder out) {
        AnsiQuotes format = new AnsiQuotes(text, at, out, Dialect.FORMAT);
        return at < text.length() && format.escape() ? format.at : -1;
    }

    /// Appends the text from `at` up to the closing quote, and returns the place after that quote.
    static int read(String text, int at, StringBuilder out) {
        int end = at;
        while (end < text.length() && text.charAt(end) != '\'') {
            end += text.charAt(end) == '\\' ? 2 : 1;
        }
        end = Math.min(end, text.length());
        out.append(decode(text.substring(at, end)));
        return Math.min(end + 1, text.length());
    }

    /// Resolves one escape. Returns false if it is not computed.
    private boolean escape() {
        char kind = text.charAt(at++);
        switch (kind) {
            case 'x' -> {
                return number(2, 16) && out.charAt(out.length() - 1) < 0x80;
            }
            case 'u' -> {
                return number(4, 16);
            }
            case 'U' -> {
                return number(8, 16);
            }
            case '0', '1', '2', '3', '4', '5', '6', '7' -> {
                boolean four = dialect == Dialect.ECHO;
                at -= four ? 0 : 1;
                return (!four || kind == '0') && number(3, 8) && out.charAt(out.length() - 1) < 0x80;
            }
            case 'a' -> out.append('\007');
            case 'b' -> out.append('\b');
            case 'e', 'E' -> out.append('\033');
            case 'f' -> out.append('\f');
            case 'n' -> out.append('\n');
            case 'r' -> out.append('\r');
            case 't' -> out.append('\t');
            case 'v' -> out.append('\013');
            case '\\' -> out.append('\\');
            case '\'', '"', '?' -> {
                out.append(kind);
                return dialect != Dialect.ECHO;
            }
            case 'c', '%' -> {
                at = dialect == Dialect.QUOTES && kind == 'c' ? Math.min(at + 1, text.length()) : at;
                out.append('\\').append(kind);
                return kind == '%' && dialect != Dialect.FORMAT;
            }
            default -> out.append('\\').append(kind);
        }
        return true;
    }

    /// Appends the character with a given number. A NUL ends some texts and not others.
    private boolean number(int most, int radix) {
        int start = at;
        int value = 0;
        while (at < text.length() && at < start + most && digit(text.charAt(at), radix)) {
            value = value * radix + Character.digit(text.charAt(at++), radix);
        }
        nul = at > start && value == 0;
        boolean usual = at > start
                && value > 0
                && value < 0x10000
                && (value < 0xd800 || value > 0xf8ff)
                && (radix != 8 || value < 0x80);
        if (usual) {
            out.append((char) value);
        }
        return usual;
    }

    private static boolean digit(char c, int radix) {
        return c < 0x80 && Character.digit(c, radix) >= 0;
    }
}
