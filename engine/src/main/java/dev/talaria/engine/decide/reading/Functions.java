package dev.talaria.engine.decide.reading;

import java.util.regex.Pattern;

/// Functions that a text defines.
final class Functions {
    private static final int LONGEST = 4_000;
    private static final Pattern NAME = Pattern.compile("[^\\s'\"$`\\\\]{1,60}");

    private Functions() {}

    /// Remembers a function whose body begins at or after a place of the text.
    static void define(String name, String text, int from, Findings findings) {
        int open = from;
        while (open < text.length() && Character.isWhitespace(text.charAt(open))) {
            open++;
        }
        if (open >= text.length()
                || "{(".indexOf(text.charAt(open)) < 0
                || !NAME.matcher(name).matches()) {
            return;
        }
        int end = end(text, open, findings);
        String body = text.substring(open + 1, end);
        findings.function(name, body);
        if (multiplies(name, body)) {
            findings.command("fork-bomb", "fork-bomb " + name);
        }
    }

    private static int end(String text, int open, Findings findings) {
        char opening = text.charAt(open);
        char closing = opening == '{' ? '}' : ')';
        int depth = 0;
        int most = Math.min(text.length(), open + LONGEST);
        char quote = '\0';
        for (int i = open; i < most && findings.scan(); i++) {
            char c = text.charAt(i);
            if (quote != '\0') {
                quote = c == quote ? '\0' : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == opening) {
                depth++;
            } else if (c == closing && --depth == 0) {
                return i;
            }
        }
        return most;
    }

    /// Whether a function starts itself in a pipe or beside itself.
    private static boolean multiplies(String name, String body) {
        return Pattern.compile("(?:^|[\\s;|&{(])" + Pattern.quote(name) + "\\s*(?:\\|[^|]|&(?:[^&>]|$))")
                .matcher(body)
                .find();
    }
}
