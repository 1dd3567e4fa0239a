package dev.talaria.engine.copy;

/// Names that others chose, for a terminal.
public final class DisplayName {
    private static final int LONGEST = 200;

    private DisplayName() {}

    /// Returns a name without what a terminal would obey.
    public static String name(String name) {
        String clean = name.codePoints()
                .map(c -> Character.isISOControl(c)
                                || Character.getType(c) == Character.FORMAT
                                || Character.getType(c) == Character.SURROGATE
                        ? '?'
                        : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return clean.length() <= LONGEST ? clean : clean.substring(0, LONGEST) + "…";
    }
}
