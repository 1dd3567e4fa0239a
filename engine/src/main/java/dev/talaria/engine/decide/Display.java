package dev.talaria.engine.decide;

/// Texts for people who decide about them: what cannot be seen is written out.
public final class Display {
    private static final int MOST = 4000;

    private Display() {}

    /// Returns the text with invisible characters written as numbers; of a long one, beginning and end.
    public static String of(String text) {
        if (text.length() <= MOST) {
            return visible(text);
        }
        int half = MOST / 2;
        return visible(text.substring(0, half))
                + "\n[... " + (text.length() - MOST) + " characters ...]\n"
                + visible(text.substring(text.length() - half));
    }

    /// Returns the text as one line: line ends and tabs are written out, too.
    public static String line(String text) {
        return of(text).replace("\n", "\\n").replace("\t", "\\t");
    }

    private static String visible(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int type = Character.getType(c);
            boolean hidden = c != '\n'
                    && c != '\t'
                    && (type == Character.CONTROL || type == Character.FORMAT || type == Character.UNASSIGNED);
            if (hidden) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }
}
