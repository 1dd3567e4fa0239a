package dev.talaria.api;

/// Writes texts for people who decide about them: invisible characters become visible.
public final class DisplayText {
    private static final int MOST = 4000;
    private static final int LONGEST_NAME = 200;

    private DisplayText() {}

    /// Returns the text with invisible characters written as numbers. Of a long text it returns the
    /// beginning and the end.
    public static String of(String text) {
        if (text.length() <= MOST) {
            return visible(text);
        }
        int half = MOST / 2;
        return visible(text.substring(0, half))
                + "\n[... " + (text.length() - MOST) + " characters ...]\n"
                + visible(text.substring(text.length() - half));
    }

    /// Returns the text as one line, with line ends and tabs written as escapes, too.
    public static String line(String text) {
        return of(text).replace("\n", "\\n").replace("\t", "\\t");
    }

    /// Returns the whole text with invisible characters written as numbers.
    public static String visible(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (hidden(c)) {
                out.append(String.format("\\u%04x", c));
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }

    /// Returns a name that somebody else chose, cut to a short length and without control characters.
    public static String name(String name) {
        String clean = name.codePoints()
                .map(c -> Character.isISOControl(c)
                                || Character.getType(c) == Character.FORMAT
                                || Character.getType(c) == Character.SURROGATE
                        ? '?'
                        : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return clean.length() <= LONGEST_NAME ? clean : clean.substring(0, LONGEST_NAME) + "…";
    }

    private static boolean hidden(int c) {
        return c != '\n'
                && c != '\t'
                && switch (Character.getType(c)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.UNASSIGNED,
                            Character.PRIVATE_USE,
                            Character.SURROGATE,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> true;
                    default -> false;
                };
    }
}
