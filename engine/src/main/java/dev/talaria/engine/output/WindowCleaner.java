package dev.talaria.engine.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/// Cleans the windows, with care for the edges where the stream was cut.
///
/// A character, sequence, token or key block that an edge cuts in two is removed or masked, never
/// shown in half. Such a mask covers at most a third of the room that a window has beyond its share
/// of the shown text: text that cleaning does not change is always shown in full.
final class WindowCleaner {

    private static final int LONGEST_TOKEN = 1 << 14;
    private static final int LONGEST_STRING = 1 << 12;
    private static final int CONTEXT = 256;
    private static final char ESCAPE = 0x1b;

    private final Redactor redactor;
    private final Redactor.Mode mode;

    WindowCleaner(Redactor redactor, Redactor.Mode mode) {
        this.redactor = redactor;
        this.mode = mode;
    }

    /// Cleans a whole stream.
    CleanedWindow whole(byte[] raw) {
        return cleaned(raw, TerminalText.clean(new String(raw, UTF_8)));
    }

    /// Cleans a stream's beginning. The first `share` bytes of its text may be shown.
    CleanedWindow head(byte[] window, int share) {
        byte[] raw = Arrays.copyOf(window, completeLength(window, window.length));
        String text = TerminalText.clean(new String(raw, UTF_8));
        return cleaned(raw, redactor.enabled() ? maskEnd(text, bound(window.length, share)) : text);
    }

    /// Cleans a stream's end. The last `share` bytes of its text may be shown. It starts at the start
    /// of a line if one is early enough to leave a full share.
    CleanedWindow tail(byte[] window, int share) {
        int start = lineStart(window, share);
        boolean midLine = start == 0;
        byte[] raw = Arrays.copyOfRange(window, midLine ? continuationEnd(window) : start, window.length);
        String text = TerminalText.clean(dropStringRest(new String(raw, UTF_8), midLine));
        return cleaned(raw, redactor.enabled() ? maskStart(text, midLine, bound(window.length, share)) : text);
    }

    private CleanedWindow cleaned(byte[] raw, String text) {
        return new CleanedWindow(raw, redactor.redact(text, mode));
    }

    /// Returns the largest number of characters that an edge's mask may cover. A character has at
    /// most three bytes per UTF-16 unit.
    private static int bound(int window, int share) {
        return Math.clamp((window - share) / 3, 0, LONGEST_TOKEN);
    }

    /// Returns `length` without an unfinished UTF-8 sequence at the end.
    static int completeLength(byte[] bytes, int length) {
        for (int back = 1; back <= Math.min(3, length); back++) {
            int lead = bytes[length - back] & 0xff;
            if (lead >= 0xc0) {
                int needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
                return needed > back ? length - back : length;
            }
            if (lead < 0x80) {
                break;
            }
        }
        return length;
    }

    /// Returns the place of the first whole character: after at most three bytes of a character that
    /// began earlier.
    private static int continuationEnd(byte[] bytes) {
        int at = 0;
        while (at < Math.min(3, bytes.length) && (bytes[at] & 0xc0) == 0x80) {
            at++;
        }
        return at;
    }

    private static int lineStart(byte[] window, int share) {
        for (int i = 0; i < window.length - share; i++) {
            if (window[i] == '\n') {
                return i + 1;
            }
        }
        return 0;
    }

    /// Masks a key block, or a token of at most `bound`, that the end of a text may have cut.
    static String maskEnd(String text, int bound) {
        String masked = PrivateKeys.maskCutAtEnd(text);
        int start = masked.length();
        int earliest = Math.max(0, start - bound);
        while (start > earliest && !Character.isWhitespace(masked.charAt(start - 1))) {
            start--;
        }
        start = start > 0 && start < masked.length() && Character.isLowSurrogate(masked.charAt(start))
                ? start + 1
                : start;
        return start == masked.length() ? masked : masked.substring(0, start) + Masks.STARS;
    }

    private static String maskStart(String text, boolean midLine, int bound) {
        return PrivateKeys.maskCutAtStart(midLine ? maskFirstToken(text, bound) : text, bound);
    }

    /// Masks the first token, and some text before it: `rer abc` may be the rest of `Authorization:
    /// Bearer abc`.
    private static String maskFirstToken(String text, int bound) {
        int latest = Math.min(bound, LineSearch.lineEnd(text, 0));
        int end = Math.min(latest, CONTEXT);
        while (end < latest && !Character.isWhitespace(text.charAt(end))) {
            end++;
        }
        end = end > 0 && end < text.length() && Character.isLowSurrogate(text.charAt(end)) ? end - 1 : end;
        return end == 0 ? text : Masks.STARS + text.substring(end);
    }

    /// Drops the rest of a string sequence (OSC, DCS) that began earlier: everything up to a
    /// terminator without a beginning.
    private static String dropStringRest(String text, boolean midLine) {
        int limit = Math.min(text.length(), LONGEST_STRING);
        for (int i = 0; i < limit; i++) {
            char c = text.charAt(i);
            boolean terminator = c == ESCAPE && i + 1 < text.length() && text.charAt(i + 1) == '\\';
            if (terminator || c == 0x9c || (c == 0x07 && midLine && text.lastIndexOf('\n', i) < 0)) {
                return Masks.lineEnds(text, 0, i) + text.substring(terminator ? i + 2 : i + 1);
            }
            if (c == ESCAPE) {
                return text;
            }
        }
        return text;
    }
}
