package dev.talaria.engine.gate.reading;

import java.text.Normalizer;

/// Removes from a text everything that disguises it: escape sequences, characters without a width,
/// and letters of other alphabets that look like Latin ones.
final class PlainText {
    // Pairs: a letter of another alphabet, then the Latin letter that it looks like.
    private static final String LOOK_ALIKES = "аaеeоoрpсcхxуyіiјjѕsԁdһhӏlԛqԝwкkмmтtвbгrпnαaοoρpνvιiκkτtυuχxɡgıiʀr"
            + "АAЕEОOРPСCХXУYІIЈJЅSВBНHКKМMТTΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX‐-‑-‒-–-—-−-";

    private PlainText() {}

    /// Returns the text as a careful reader sees it. Returns plain ASCII unchanged.
    static String of(String text) {
        if (plain(text)) {
            return text;
        }
        String folded = ascii(text) ? text : Normalizer.normalize(text, Normalizer.Form.NFKC);
        StringBuilder out = new StringBuilder(folded.length());
        for (int i = 0; i < folded.length(); i++) {
            char c = folded.charAt(i);
            if (c == '\033') {
                i = afterEscape(folded, i) - 1;
            } else if (c == '\n' || c == '\t' || (c >= ' ' && c < 0x7f)) {
                out.append(c);
            } else if (c == '\u2028' || c == '\u2029' || c == '\u0085') {
                out.append('\n');
            } else if (Character.isSpaceChar(c)) {
                out.append(' ');
            } else if (!invisible(c)) {
                out.append(ours(c));
            }
        }
        return out.toString();
    }

    private static boolean plain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' && c != '\n' && c != '\t') || c >= 0x7f) {
                return false;
            }
        }
        return true;
    }

    static boolean ascii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }

    private static char ours(char c) {
        for (int i = 0; i < LOOK_ALIKES.length(); i += 2) {
            if (LOOK_ALIKES.charAt(i) == c) {
                return LOOK_ALIKES.charAt(i + 1);
            }
        }
        return c;
    }

    private static boolean invisible(char c) {
        int type = Character.getType(c);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.NON_SPACING_MARK
                || (c >= '\ufe00' && c <= '\ufe0f')
                || c == '\u115f'
                || c == '\u3164';
    }

    /// Returns the place behind the escape sequence that begins at `start`.
    private static int afterEscape(String text, int start) {
        int i = start + 1;
        if (i >= text.length()) {
            return i;
        }
        char kind = text.charAt(i++);
        if (kind == '[') {
            while (i < text.length() && (text.charAt(i) < '@' || text.charAt(i) > '~')) {
                i++;
            }
            return Math.min(text.length(), i + 1);
        }
        if (kind == ']') { // a title or a link ends with BEL or ESC \, but at the latest with the line
            while (i < text.length() && text.charAt(i) != '\007' && text.charAt(i) != '\n') {
                if (text.charAt(i) == '\033') {
                    return Math.min(text.length(), i + 2);
                }
                i++;
            }
            return i < text.length() && text.charAt(i) == '\007' ? i + 1 : i;
        }
        return i;
    }
}
