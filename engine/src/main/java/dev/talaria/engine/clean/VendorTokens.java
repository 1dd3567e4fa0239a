package dev.talaria.engine.clean;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Finds tokens that carry their vendor's prefix (pass 2), and those split by invisible characters (pass 1).
///
/// Plain searching instead of a regular expression: every prefix is looked up by `indexOf`, and a token's
/// body is read once, so that hostile text costs no more than ordinary text.
final class VendorTokens {

    /// What may follow a prefix.
    private enum Body {
        /// letters and digits
        ALNUM,
        /// letters, digits, `_` and `-`
        WORD,
        /// WORD, and single dots inside
        DOTTED,
        /// WORD and `=`
        PADDED,
        /// sixteen capitals and digits exactly
        AWS_ID
    }

    private record Vendor(String prefix, int shortestBody, Body body) {}

    private record Token(int from, int to, String prefix) {}

    private static final List<Vendor> VENDORS = vendors();
    private static final int SHORTEST = shortest();
    private static final int SHORTEST_JOINED_PART = 8;

    private VendorTokens() {}

    private static List<Vendor> vendors() {
        var table = new ArrayList<Vendor>();
        add(table, 10, Body.DOTTED, "sk- SG.");
        add(table, 10, Body.WORD, "github_pat_ xoxb- xoxa- xoxp- xoxr- xoxs- fal_ bb_live_ pypi- retaindb_ hsk- ntn_");
        add(table, 10, Body.WORD, "xapp-0- xapp-1- xapp-2- xapp-3- xapp-4- xapp-5- xapp-6- xapp-7- xapp-8- xapp-9-");
        add(
                table,
                10,
                Body.WORD,
                "glpat- gloas- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- glsoat- glffct- glwt-");
        add(table, 10, Body.WORD, "GR1348941 syt_ exa_ mem0_ brv_");
        add(table, 10, Body.ALNUM, "ghp_ gho_ ghu_ ghs_ ghr_ pplx- fc- sk_live_ sk_test_ rk_live_ sk_");
        add(table, 10, Body.ALNUM, "hf_ r8_ npm_ dop_v1_ doo_v1_ tvly- gsk_");
        add(table, 8, Body.WORD, "pk-lf-");
        add(table, 20, Body.WORD, "am_org_ am_");
        add(table, 20, Body.PADDED, "gAAAA");
        add(table, 30, Body.WORD, "AIza xai- fw- fw_ fpk_");
        add(table, 16, Body.AWS_ID, "AKIA");
        return List.copyOf(table);
    }

    private static int shortest() {
        return VENDORS.stream()
                .mapToInt(vendor -> vendor.prefix.length() + vendor.shortestBody)
                .min()
                .orElseThrow();
    }

    private static void add(List<Vendor> table, int shortestBody, Body body, String prefixes) {
        for (String prefix : prefixes.split(" ", -1)) {
            table.add(new Vendor(prefix, shortestBody, body));
        }
    }

    /// Returns whether any word, its invisible characters left out, is as long as the shortest token.
    static boolean mayOccur(String text) {
        int run = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isWord(c) || c == '.' || c == '=') {
                if (++run == SHORTEST) {
                    return true;
                }
            } else if (!isInvisible(c)) {
                run = 0;
            }
        }
        return false;
    }

    static String mask(String text, Redactor.Mode mode) {
        var spans = new ArrayList<Span>();
        for (Token token : find(text)) {
            spans.add(
                    new Span(token.from, token.to, Masks.of(text.substring(token.from, token.to), token.prefix, mode)));
        }
        return Span.replace(text, spans);
    }

    /// Masks tokens whose characters have control or zero-width characters between them.
    ///
    /// Tabs and line ends separate words in honest text; over one of them a token is joined only when what
    /// follows has a digit and some length, and when no part is a token already (pass 2 masks that one).
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
        boolean dash = text.indexOf('-') >= 0;
        boolean underscore = text.indexOf('_') >= 0;
        for (Vendor vendor : VENDORS) {
            boolean possible =
                    (dash || vendor.prefix.indexOf('-') < 0) && (underscore || vendor.prefix.indexOf('_') < 0);
            int at = possible ? text.indexOf(vendor.prefix) : -1;
            while (at >= 0) {
                int bodyFrom = at + vendor.prefix.length();
                int end = bodyFrom;
                if (startsToken(text, at)) {
                    end = bodyEnd(text, bodyFrom, vendor.body);
                    boolean complete = end == text.length() || !isWord(text.charAt(end));
                    boolean longEnough = vendor.body == Body.AWS_ID
                            ? end - bodyFrom == vendor.shortestBody
                            : end - bodyFrom >= vendor.shortestBody;
                    if (complete && longEnough) {
                        found.add(new Token(at, end, vendor.prefix));
                    }
                }
                at = text.indexOf(vendor.prefix, end);
            }
        }
        return found;
    }

    private static int bodyEnd(String text, int from, Body body) {
        int i = from;
        while (i < text.length() && inBody(text, i, body)) {
            i++;
        }
        return i;
    }

    private static boolean inBody(String text, int at, Body body) {
        char c = text.charAt(at);
        return switch (body) {
            case ALNUM -> isAlnum(c);
            case WORD -> isWord(c);
            case DOTTED -> isWord(c) || (c == '.' && isWordAt(text, at - 1) && isWordAt(text, at + 1));
            case PADDED -> isWord(c) || c == '=';
            case AWS_ID -> (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        };
    }

    /// Returns whether a token may begin here: not within a word, unless an escape such as `\n` or
    /// `\\u0022` ends here.
    private static boolean startsToken(String text, int at) {
        return !isWordAt(text, at - 1)
                || endsEscape(text, at, 2, "nrtbfav0")
                || endsEscape(text, at, 4, "x")
                || endsEscape(text, at, 6, "u");
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

    private static boolean isWord(char c) {
        return isAlnum(c) || c == '_' || c == '-';
    }

    private static boolean isAlnum(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
