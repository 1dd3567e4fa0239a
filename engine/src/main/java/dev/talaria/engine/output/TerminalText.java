package dev.talaria.engine.output;

/// Turns output for a terminal into the text that a reader would have seen.
///
/// A carriage return moves to the first column and later text overwrites, a backspace moves one
/// column back, and the sequences that redraw a line (erase in line, column and cursor left or right)
/// are obeyed: of a progress bar the last state is left, of a CRLF a plain line end. Every other
/// escape sequence and control character except tab is removed, and so are Unicode tag characters
/// outside flags. The number of lines stays the same.
public final class TerminalText {

    private static final char ESCAPE = 0x1b;
    private static final int LONGEST_STRING = 1 << 16;
    private static final int BLACK_FLAG = 0x1f3f4;
    private static final char TAG_SURROGATE = '\udb40';
    private static final int TAG_END = 0xe007f;

    private final String text;
    private final StringBuilder out;
    private final TerminalLine line = new TerminalLine();

    private TerminalText(String text) {
        this.text = text;
        this.out = new StringBuilder(text.length());
    }

    /// Returns the text as a terminal would show it, without sequences and control characters.
    public static String clean(String decoded) {
        int first = nextStop(decoded, 0, false);
        if (first == decoded.length()) {
            return decoded;
        }
        return new TerminalText(decoded).render(decoded.lastIndexOf('\n', first) + 1);
    }

    /// Returns the text without Unicode tag characters outside flags, which can hide words from a
    /// human reader. Nothing else changes.
    static String withoutTags(String decoded) {
        return decoded.indexOf(TAG_SURROGATE) < 0 ? decoded : new TerminalText(decoded).dropTags();
    }

    private String dropTags() {
        int i = 0;
        while (i < text.length()) {
            int codePoint = text.codePointAt(i);
            if (isTagAt(text, i)) {
                i = tag(i);
            } else {
                line.put(codePoint);
                i += Character.charCount(codePoint);
            }
        }
        line.flush(out);
        return out.toString();
    }

    private String render(int start) {
        out.append(text, 0, start);
        int i = start;
        while (i < text.length()) {
            int plainEnd = nextStop(text, i, true);
            line.put(text, i, plainEnd);
            i = plainEnd < text.length() ? special(plainEnd) : plainEnd;
        }
        line.flush(out);
        return out.toString();
    }

    private int special(int at) {
        char c = text.charAt(at);
        switch (c) {
            case '\n' -> newline();
            case '\r' -> line.moveTo(0);
            case '\b' -> line.back(1);
            case ESCAPE -> {
                return escape(at);
            }
            case 0x9b -> {
                return control(at + 1);
            }
            case 0x9d -> {
                return string(at + 1, true);
            }
            default -> {
                return Character.isHighSurrogate(c) ? tag(at) : at + 1;
            }
        }
        return at + 1;
    }

    private void newline() {
        line.flush(out);
        out.append('\n');
    }

    private int escape(int at) {
        if (at + 1 == text.length()) {
            return at + 1;
        }
        char kind = text.charAt(at + 1);
        return switch (kind) {
            case '[' -> control(at + 2);
            case ']' -> string(at + 2, true);
            case 'P', 'X', '^', '_' -> string(at + 2, false);
            default -> {
                int end = skip(at + 1, 0x20, 0x2f);
                yield end < text.length() && within(text.charAt(end), 0x30, 0x7e) ? end + 1 : end;
            }
        };
    }

    /// Reads a CSI sequence whose parameters begin at `from`, and returns its end.
    private int control(int from) {
        int parametersEnd = skip(from, 0x30, 0x3f);
        int end = skip(parametersEnd, 0x20, 0x2f);
        if (end == text.length() || !within(text.charAt(end), 0x40, 0x7e)) {
            return end;
        }
        if (end == parametersEnd) {
            int number = number(from, parametersEnd);
            switch (text.charAt(end)) {
                case 'K' -> line.erase(Math.max(0, number));
                case 'G' -> line.moveTo(Math.max(1, number) - 1);
                case 'C' -> line.forward(Math.max(1, number));
                case 'D' -> line.back(Math.max(1, number));
                default -> {
                    // colours, modes, vertical moves: no text
                }
            }
        }
        return end + 1;
    }

    /// Returns the only decimal parameter, or -1 if there is none or it has another form.
    private int number(int from, int to) {
        if (from == to || to - from > 6) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < to; i++) {
            if (!within(text.charAt(i), '0', '9')) {
                return -1;
            }
            value = value * 10 + text.charAt(i) - '0';
        }
        return value;
    }

    /// Reads a string sequence (OSC, DCS, SOS, PM, APC), and returns its end.
    ///
    /// A sequence without an end extends to the end of its line: it must not swallow later output.
    /// The beginning of another sequence cancels it, which also keeps the search linear.
    private int string(int from, boolean bellEnds) {
        int limit = Math.min(text.length(), from + LONGEST_STRING);
        int lineEnd = -1;
        for (int i = from; i < limit; i++) {
            char c = text.charAt(i);
            if (c == '\n' && lineEnd < 0) {
                lineEnd = i;
            } else if ((c == 0x07 && bellEnds) || c == 0x9c || c == 0x18 || c == 0x1a) {
                return swallow(from, i + 1);
            } else if (c == ESCAPE && i + 1 < text.length() && text.charAt(i + 1) == '\\') {
                return swallow(from, i + 2);
            } else if (c == ESCAPE || within(c, 0x80, 0x9f)) {
                return lineEnd < 0 ? i : lineEnd;
            }
        }
        return lineEnd >= 0 ? lineEnd : plainLineEnd(limit);
    }

    private int plainLineEnd(int from) {
        int i = from;
        while (i < text.length() && text.charAt(i) != '\n' && text.charAt(i) != ESCAPE) {
            i++;
        }
        return i;
    }

    private int swallow(int from, int to) {
        for (int i = text.indexOf('\n', from); i >= 0 && i < to; i = text.indexOf('\n', i + 1)) {
            newline();
        }
        return to;
    }

    /// Skips a tag character, or keeps it if it spells a flag (black flag, three to six tags, end
    /// tag).
    private int tag(int at) {
        if (at >= 2 && text.codePointBefore(at) == BLACK_FLAG) {
            int end = at;
            while (end < text.length() && isTagLetter(text.codePointAt(end))) {
                end += 2;
            }
            boolean closed = end < text.length() && text.codePointAt(end) == TAG_END;
            if (closed && within(end - at, 6, 12)) {
                line.put(text, at, end + 2);
                return end + 2;
            }
        }
        return at + 2;
    }

    private static boolean isTagLetter(int codePoint) {
        return within(codePoint, 0xe0030, 0xe0039) || within(codePoint, 0xe0061, 0xe007a);
    }

    private int skip(int from, int low, int high) {
        int i = from;
        while (i < text.length() && within(text.charAt(i), low, high)) {
            i++;
        }
        return i;
    }

    /// Returns the place of the next character that needs a decision, or the text's length.
    private static int nextStop(String text, int from, boolean atLineEnds) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c < 0x7f) {
                continue;
            }
            boolean control = c < ' ' ? c != '\t' && (atLineEnds || c != '\n') : c <= 0x9f;
            if (control || isTagAt(text, i)) {
                return i;
            }
        }
        return text.length();
    }

    private static boolean isTagAt(String text, int at) {
        return text.charAt(at) == TAG_SURROGATE && within(text.codePointAt(at), 0xe0000, TAG_END);
    }

    private static boolean within(int value, int low, int high) {
        return value >= low && value <= high;
    }
}
