package dev.talaria.cli.log;

/// Text of others for a terminal: a command, a file name, a message of a sandbox.
public final class PlainText {
    private PlainText() {}

    /// Returns `text` with escape sequences and invisible characters written as in JSON. Line breaks stay.
    public static String of(String text) {
        if (text.chars().allMatch(c -> c >= ' ' && c <= '~')) {
            return text;
        }
        StringBuilder out = new StringBuilder();
        text.codePoints().forEach(point -> append(out, point));
        return out.toString();
    }

    private static void append(StringBuilder out, int point) {
        boolean visible = point == '\n'
                || point == '\t'
                || switch (Character.getType(point)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> false;
                    default -> true;
                };
        if (visible) {
            out.appendCodePoint(point);
        } else {
            for (char half : Character.toChars(point)) {
                out.append(String.format("\\u%04x", (int) half));
            }
        }
    }
}
