package dev.talaria.engine.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Finds tokens with their vendor's prefix (pass 2), and tokens split by invisible characters (pass
/// 1).
///
/// One pass over the text: at the beginning of a word, its first two characters choose the prefixes
/// to compare ([VendorShapes]), and a token's body is read once, so that hostile text costs no more
/// than ordinary text.
final class VendorTokens {

    private record Token(int from, int to, String prefix) {}

    /// A text that occurs within a token: how many characters come before it and after it.
    private record Marker(String text, int shortestLeft, int longestLeft, int shortestRight, int longestRight) {}

    private static final int SHORTEST_JOINED_PART = 8;
    private static final int BASE64_BEFORE = 24;
    private static final List<Marker> MARKERS = List.of(
            new Marker(".atlasv1.", 14, 14, 60, 80),
            new Marker("AZDO", 76, 76, 4, 4),
            new Marker("+ACR", 42, 42, 6, 6),
            new Marker("AzSe", 42, 42, 6, 6),
            new Marker("NRAL", 36, 36, 0, 0),
            new Marker("_mmk", 36, 36, 0, 0),
            new Marker("8Q~", 3, 3, 31, 34),
            new Marker("7Q~", 3, 3, 31, 34));

    private VendorTokens() {}

    static String mask(String text, Redactor.Mode mode) {
        var spans = new ArrayList<Span>();
        for (Token token : find(text)) {
            spans.add(
                    new Span(token.from, token.to, Masks.of(text.substring(token.from, token.to), token.prefix, mode)));
        }
        return Span.replace(text, spans);
    }

    /// Masks tokens with control or zero-width characters between their characters.
    ///
    /// Tabs and line ends separate words in honest text. Across one of them a token is joined only if
    /// the following part has a digit and some length, and if no part is a token already (pass 2
    /// masks that one).
    static String maskSplit(String text, Redactor.Mode mode) {
        if (text.chars().noneMatch(c -> isInvisible((char) c))) {
            return text;
        }
        int[] origin = new int[text.length()];
        var visible = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            if (!isInvisible(text.charAt(i))) {
                origin[visible.length()] = i;
                visible.append(text.charAt(i));
            }
        }
        var spans = new ArrayList<Span>();
        for (Token token : find(visible.toString())) {
            int from = origin[token.from];
            int to = origin[token.to - 1] + 1;
            boolean split = to - from > token.to - token.from;
            if (split && !isFollowedByEquals(text, to) && isOneToken(text.substring(from, to))) {
                String secret = visible.substring(token.from, token.to);
                spans.add(new Span(from, to, Masks.of(secret, token.prefix, mode) + Masks.lineEnds(text, from, to)));
            }
        }
        return Span.replace(text, spans);
    }

    private static boolean isOneToken(String piece) {
        String[] parts = piece.split("[\n\t\r]+", -1);
        if (parts.length == 1) {
            return true;
        }
        boolean laterPartsOpaque = Arrays.stream(parts)
                .skip(1)
                .allMatch(part ->
                        part.length() >= SHORTEST_JOINED_PART && part.chars().anyMatch(Character::isDigit));
        return laterPartsOpaque
                && Arrays.stream(parts).allMatch(part -> find(part).isEmpty());
    }

    private static boolean isFollowedByEquals(String text, int at) {
        return at < text.length() && text.charAt(at) == '=';
    }

    private static boolean isInvisible(char c) {
        return c < ' '
                || c == 0x7f
                || (c >= '\u200b' && c <= '\u200f')
                || (c >= '\u2028' && c <= '\u202f')
                || c == '\u2060'
                || c == '\ufeff';
    }

    private static List<Token> find(String text) {
        var found = new ArrayList<Token>();
        int last = text.length() - 1;
        for (int at = 0; at < last; at++) {
            if (VendorShapes.mayBegin(text.charAt(at), text.charAt(at + 1)) && startsToken(text, at)) {
                var token = VendorShapes.at(text, at);
                if (token.isPresent()) {
                    found.add(
                            new Token(at, token.get().end(), token.get().shape().prefix()));
                    at = token.get().end() - 1;
                }
            }
        }
        for (Marker marker : MARKERS) {
            addMarked(found, text, marker);
        }
        return found;
    }

    private static void addMarked(List<Token> found, String text, Marker marker) {
        int length = marker.text.length();
        for (int at = text.indexOf(marker.text); at >= 0; at = text.indexOf(marker.text, at + length)) {
            int from = at;
            while (at - from <= marker.longestLeft && from > 0 && isMarkedBody(text.charAt(from - 1))) {
                from--;
            }
            int to = at + length;
            while (to - at - length <= marker.longestRight && to < text.length() && isMarkedBody(text.charAt(to))) {
                to++;
            }
            int right = to - at - length;
            if (at - from >= marker.shortestLeft
                    && at - from <= marker.longestLeft
                    && right >= marker.shortestRight
                    && right <= marker.longestRight) {
                found.add(new Token(from, to, ""));
            }
        }
    }

    private static boolean isMarkedBody(char c) {
        return isName(c) || c == '~';
    }

    /// Returns whether a token may begin here: not within a word, unless an escape such as `\n` or
    /// `\\u0022` ends here.
    private static boolean startsToken(String text, int at) {
        return (!isWordAt(text, at - 1) && !isWithinBase64(text, at))
                || endsEscape(text, at, 2, "nrtbfav0")
                || endsEscape(text, at, 4, "x")
                || endsEscape(text, at, 6, "u");
    }

    /// Returns whether a sign of base64 stands before `at`, and more base64 before it, as in an
    /// image.
    private static boolean isWithinBase64(String text, int at) {
        if (at < BASE64_BEFORE || (text.charAt(at - 1) != '/' && text.charAt(at - 1) != '+')) {
            return false;
        }
        for (int i = at - BASE64_BEFORE; i < at; i++) {
            char c = text.charAt(i);
            if (!isAlnum(c) && c != '/' && c != '+') {
                return false;
            }
        }
        return true;
    }

    private static boolean endsEscape(String text, int at, int length, String kinds) {
        int start = at - length;
        if (start < 0 || text.charAt(start) != '\\' || kinds.indexOf(text.charAt(start + 1)) < 0) {
            return false;
        }
        for (int i = start + 2; i < at; i++) {
            if (Character.digit(text.charAt(i), 16) < 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean isWordAt(String text, int at) {
        return at >= 0 && at < text.length() && isWord(text.charAt(at));
    }

    static boolean isWord(char c) {
        return isAlnum(c) || c == '_' || c == '-';
    }

    /// Returns whether names of settings contain this character.
    static boolean isName(char c) {
        return isWord(c) || c == '.';
    }

    private static boolean isAlnum(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
