package dev.talaria.engine.output;

/// Cleans a piece of a raw stream for display.
public final class Excerpt {
    private Excerpt() {}

    /// Returns the text of a stream's last bytes as a terminal would show it, without secrets.
    ///
    /// @param cut whether the stream began earlier; then the rest of a token or a key at the cut is
    ///     masked
    public static String of(byte[] raw, boolean cut, Redactor redactor, Redactor.Mode mode) {
        WindowCleaner cleaner = new WindowCleaner(redactor, mode);
        CleanedWindow window = cut ? cleaner.tail(raw, raw.length - raw.length / 4) : cleaner.whole(raw);
        return window.text();
    }

    /// Returns the last `most` characters of a text, from the start of a line if one is near.
    public static String last(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int start = text.length() - most;
        int line = text.indexOf('\n', start);
        if (line >= 0 && line - start < most / 4 && line + 1 < text.length()) {
            return text.substring(line + 1);
        }
        return text.substring(Character.isLowSurrogate(text.charAt(start)) ? start + 1 : start);
    }
}
