package dev.talaria.cli.log;

/// Text for a terminal that somebody else chose: a command, a file's name, what a sandbox said.
public final class PlainText {
    private PlainText() {}

    /// Returns `text` with what a terminal would obey, and what nobody sees, written out as JSON does. Lines stay.
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
