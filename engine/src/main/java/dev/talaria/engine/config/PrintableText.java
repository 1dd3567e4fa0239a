package dev.talaria.engine.config;

import java.util.regex.Pattern;

/// Makes texts from files and variables safe for messages, since a project file must not send escape sequences to a
/// terminal.
final class PrintableText {
    private static final int MOST = 200;
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./~][A-Za-z0-9_./~@+-]*");

    private PrintableText() {}

    /// Returns `text` with control characters escaped and its end cut off if it is long.
    static String bare(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().limit(MOST).forEach(point -> append(out, point));
        return text.codePointCount(0, text.length()) > MOST ? out + "..." : out.toString();
    }

    /// Returns `text` as a YAML scalar, quoted if it has to be.
    static String scalar(String text) {
        if (PLAIN.matcher(text).matches()) {
            return bare(text);
        }
        return '"' + bare(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
    }

    private static void append(StringBuilder out, int point) {
        boolean visible = switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
        if (visible) {
            out.appendCodePoint(point);
        } else {
            out.append(String.format(point > 0xffff ? "\\U%08x" : "\\u%04x", point));
        }
    }
}
