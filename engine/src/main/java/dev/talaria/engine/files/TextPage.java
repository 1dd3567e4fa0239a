package dev.talaria.engine.files;

import java.nio.charset.StandardCharsets;

/// Some lines of a text, and how many there are.
///
/// @param content the lines, with their line ends
/// @param totalLines lines of the whole text
/// @param shown how many of them `content` holds
record TextPage(String content, int totalLines, int shown) {

    /// Returns `limit` lines from line `offset` on, the first being 1.
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
                break; // the text ends with a line end: no further line
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
        return new TextPage(content, line - 1, shown);
    }
}
