package dev.talaria.engine.output;

import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Replaces the matches of an expression, but reads only lines with a few literal characters: finding
/// those is a fast search, and most text has none of them.
final class LineSearch {

    /// Finds places that a match must contain.
    @FunctionalInterface
    interface Anchor {

        /// Returns the next such place from `from` on, or -1.
        int next(String text, int from);
    }

    private LineSearch() {}

    static Anchor literal(String literal) {
        return (text, from) -> text.indexOf(literal, from);
    }

    /// Returns the anchor for a word in small letters, which also matches capitals.
    static Anchor word(String word) {
        char first = word.charAt(0);
        return (text, from) -> {
            for (int i = from; i <= text.length() - word.length(); i++) {
                if ((text.charAt(i) | 0x20) == first && text.regionMatches(true, i, word, 0, word.length())) {
                    return i;
                }
            }
            return -1;
        };
    }

    /// Returns the end of the line that `from` is in, without its line end.
    static int lineEnd(String text, int from) {
        int newline = text.indexOf('\n', from);
        return newline < 0 ? text.length() : newline;
    }

    /// Returns the text with the expression's matches replaced. No match crosses a line's end.
    static String replace(String text, Anchor anchor, Pattern pattern, Function<MatchResult, String> replacement) {
        int at = anchor.next(text, 0);
        if (at < 0) {
            return text;
        }
        var out = new StringBuilder(text.length());
        var matcher = pattern.matcher(text).useTransparentBounds(true).useAnchoringBounds(false);
        int done = 0;
        while (at >= 0) {
            int lineEnd = lineEnd(text, at);
            matcher.region(text.lastIndexOf('\n', at) + 1, lineEnd);
            while (matcher.find()) {
                out.append(text, done, matcher.start()).append(replacement.apply(matcher));
                done = matcher.end();
            }
            at = lineEnd == text.length() ? -1 : anchor.next(text, lineEnd + 1);
        }
        return out.append(text, done, text.length()).toString();
    }
}
