package dev.talaria.engine.output;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Masks private key blocks (pass 13): whole ones, ones without an end, and ones that the edge of a
/// window cuts.
///
/// A mask keeps the block's line ends. A block without an end line extends as far as its lines look
/// like those of a key. At the cut end of a window it extends to the cut.
final class PrivateKeys {

    private static final String BEGIN = "BEGIN";
    private static final String END = "END";
    private static final String DASHES = "----";
    /// The characters before the words of a marker; the second is that of SSH2 keys.
    private static final List<String> OPENINGS = List.of("-----", "---- ");
    private static final int OPENING = 5;
    /// The line before the private part of a PuTTY key.
    private static final String PUTTY = "Private-Lines: ";
    private static final int LONGEST_BLOCK = 1 << 15;
    private static final Pattern LABEL = Pattern.compile("[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?");

    private PrivateKeys() {}

    static boolean mayOccur(String text) {
        return text.contains("-----BEGIN") || text.contains("---- BEGIN") || text.contains(PUTTY);
    }

    static String mask(String text) {
        return mask(text, false);
    }

    /// Masks the blocks of a text that continues beyond its visible end.
    static String maskCutAtEnd(String text) {
        return mayOccur(text) ? mask(text, true) : text;
    }

    /// Masks the rest of a block in a text that began before its visible start. Without an end line,
    /// that rest is the lines in the first `bound` characters that look like those of a key.
    static String maskCutAtStart(String text, int bound) {
        int end = marker(text, END, 0);
        int begin = marker(text, BEGIN, 0);
        boolean cutBlock = end >= 0 && (begin < 0 || end < begin) && end <= LONGEST_BLOCK;
        int to = cutBlock ? markerEnd(text, end, END) : leadingBody(text, bound);
        return to == 0 ? text : Masks.PRIVATE_KEY + Masks.lineEnds(text, 0, to) + text.substring(to);
    }

    private static String mask(String text, boolean cutAtEnd) {
        var spans = new ArrayList<Span>();
        int at = marker(text, BEGIN, 0);
        while (at >= 0) {
            int to = blockEnd(text, at, cutAtEnd);
            spans.add(new Span(at, to, Masks.PRIVATE_KEY + Masks.lineEnds(text, at, to)));
            at = marker(text, BEGIN, to);
        }
        for (int line = text.indexOf(PUTTY); line >= 0; line = text.indexOf(PUTTY, line + 1)) {
            int from = LineSearch.lineEnd(text, line);
            int to = bodyEnd(text, from);
            if (to > from) {
                spans.add(new Span(from, to, "\n" + Masks.PRIVATE_KEY + Masks.lineEnds(text, from + 1, to)));
            }
        }
        return Span.replace(text, spans);
    }

    private static int blockEnd(String text, int begin, boolean cutAtEnd) {
        int end = marker(text.substring(begin, Math.min(text.length(), begin + LONGEST_BLOCK)), END, 0);
        if (end >= 0) {
            return markerEnd(text, begin + end, END);
        }
        if (cutAtEnd && text.length() - begin <= LONGEST_BLOCK) {
            return text.length();
        }
        return bodyEnd(text, LineSearch.lineEnd(text, begin));
    }

    /// Returns how far the lines behind the line that ends at `from` look like those of a key.
    private static int bodyEnd(String text, int from) {
        var body = new Body();
        int lineEnd = from;
        while (lineEnd < text.length()) {
            int next = LineSearch.lineEnd(text, lineEnd + 1);
            if (!body.continuesWith(text.substring(lineEnd + 1, next))) {
                return lineEnd;
            }
            lineEnd = next;
        }
        return lineEnd;
    }

    /// Returns how far the text's first lines, one of them long, look like those of a key.
    private static int leadingBody(String text, int bound) {
        var body = new Body();
        int done = 0;
        int from = text.startsWith(Masks.STARS) ? LineSearch.lineEnd(text, 0) + 1 : 0;
        while (from < text.length() && from < bound) {
            int end = LineSearch.lineEnd(text, from);
            if (!body.continuesWith(text.substring(from, end)) || !body.sawLongLine) {
                break;
            }
            done = end;
            from = end + 1;
        }
        return done;
    }

    /// Returns the place of the next marker of a private key, or -1.
    private static int marker(String text, String kind, int from) {
        for (int at = text.indexOf(kind, from + OPENING); at >= 0; at = text.indexOf(kind, at + kind.length())) {
            if (markerEnd(text, at - OPENING, kind) > 0) {
                return at - OPENING;
            }
        }
        return -1;
    }

    private static int markerEnd(String text, int at, String kind) {
        int label = at + OPENING + kind.length();
        int dashes = text.indexOf(DASHES, label);
        boolean key = dashes > 0
                && dashes - label <= 64
                && OPENINGS.stream().anyMatch(opening -> text.startsWith(opening, at))
                && LABEL.matcher(text).region(label, dashes).matches();
        if (!key) {
            return -1;
        }
        int end = dashes + DASHES.length();
        return end < text.length() && text.charAt(end) == '-' ? end + 1 : end;
    }

    /// Follows a block line by line, for output that is shown while it is printed.
    static final class Lines {

        private @Nullable Body open;

        /// Returns the line with the parts of a key masked.
        String mask(String line) {
            var body = open;
            if (body != null) {
                int end = marker(line, END, 0);
                if (end >= 0) {
                    open = null;
                    return mask(line.substring(markerEnd(line, end, END)));
                }
                if (body.continuesWith(line)) {
                    return "";
                }
                open = null;
            }
            if (!mayOccur(line)) {
                return line;
            }
            if (line.startsWith(PUTTY)) {
                open = new Body();
                return line;
            }
            int last = -1;
            for (int at = marker(line, BEGIN, 0); at >= 0; at = marker(line, BEGIN, at + BEGIN.length())) {
                last = at;
            }
            if (last >= 0 && marker(line, END, last) < 0) {
                open = new Body();
            }
            return PrivateKeys.mask(line);
        }

        /// Notes that lines were left out: the next may be in the middle of a block.
        void lostLines() {
            open = new Body();
        }
    }

    /// Recognizes lines of a key: headers, blank lines, long base64 lines, and one shorter base64
    /// line at the end, each perhaps behind a line number, a diff sign or a quote.
    private static final class Body {

        private static final int LONG_LINE = 40;
        private static final Pattern BASE64 =
                Pattern.compile("[\\s\\d|:+>\"'-]{0,16}+([A-Za-z0-9+/=]{1,256}+)(?:\\\\n)?[\"',\\s+]{0,8}+");
        private static final Pattern HEADER = Pattern.compile(
                "[\\s\\d|:+>\"'-]{0,16}+(?:(?:Proc-Type|DEK-Info|Comment|Subject|Version|Key-Type): .{0,100}+)?\\s{0,8}+");

        private boolean sawLongLine;
        private boolean over;

        boolean continuesWith(String line) {
            if (over) {
                return false;
            }
            if (HEADER.matcher(line).matches()) {
                return true;
            }
            var base64 = BASE64.matcher(line);
            if (!base64.matches()) {
                return false;
            }
            if (base64.group(1).length() >= LONG_LINE) {
                sawLongLine = true;
                return true;
            }
            over = true;
            return sawLongLine;
        }
    }
}
