package dev.talaria.engine.tool.files;

import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/// Some lines of a text.
///
/// @param content the lines, with their line ends
/// @param totalLines the number of lines of the whole text
/// @param shown the number of lines in `content`
/// @param fit the reason why the page holds no more
record TextPage(String content, int totalLines, int shown, Fit fit) {

    /// The limit that a page has reached.
    enum Fit {
        /// The number of lines that the caller asked for.
        LINES,
        /// The room for the page: the caller asked for more lines.
        ROOM,
        /// The room for the page, which is too small for its only line.
        PART_OF_A_LINE
    }

    /// Returns `limit` lines from line `offset` on. The first line is 1.
    static TextPage of(byte[] bytes, int offset, int limit) {
        int start = -1;
        int end = bytes.length;
        int line = 1;
        int shown = 0;
        for (int at = 0, lineStart = 0; at <= bytes.length; at++) {
            boolean atEnd = at == bytes.length;
            if (!atEnd && bytes[at] != '\n') {
                continue;
            }
            if (atEnd && lineStart == bytes.length) {
                break; // the text ends with a line break: there is no further line
            }
            if (line >= offset && line - offset < limit) {
                start = start < 0 ? lineStart : start;
                end = Math.min(bytes.length, at + 1);
                shown++;
            }
            line++;
            lineStart = at + 1;
        }
        String content = start < 0 ? "" : new String(bytes, start, end - start, StandardCharsets.UTF_8);
        return new TextPage(content, line - 1, shown, Fit.LINES);
    }

    /// Returns as many whole lines of this page as fit into `most` characters of JSON, or a part of the only
    /// line.
    ///
    /// @param mask hides secrets; it sees a line before it is cut, since it cannot recognise half a secret
    TextPage within(int most, UnaryOperator<String> mask) {
        TextPage page = within(most);
        return page.fit == Fit.PART_OF_A_LINE
                ? new TextPage(mask.apply(content), totalLines, shown, fit).within(most)
                : page;
    }

    private TextPage within(int most) {
        int room = most;
        int lines = 0;
        int end = 0;
        for (int at = 0; at < content.length(); at++) {
            char next = content.charAt(at);
            room -= next == '"' || next == '\\' || next == '\n' ? 2 : next < ' ' ? 6 : 1;
            if (room < 0) {
                int part = Character.isLowSurrogate(next) ? at - 1 : at;
                return end > 0
                        ? new TextPage(content.substring(0, end), totalLines, lines, Fit.ROOM)
                        : new TextPage(content.substring(0, part), totalLines, 1, Fit.PART_OF_A_LINE);
            }
            if (next == '\n') {
                lines++;
                end = at + 1;
            }
        }
        return this;
    }
}
