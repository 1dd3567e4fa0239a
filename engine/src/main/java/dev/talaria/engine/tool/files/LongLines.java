package dev.talaria.engine.tool.files;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Splits long lines into pieces that count as lines, so that output of one line with megabytes can be paged.
final class LongLines {
    /// The longest line that is shown as it is.
    static final int LONGEST = 2000;

    private LongLines() {}

    /// Returns the text with its long lines split; empty if there are none.
    ///
    /// @param mask hides secrets; it sees a long line as a whole, since it cannot recognise half a secret
    static Optional<byte[]> fold(byte[] text, UnaryOperator<String> mask) {
        ByteArrayOutputStream folded = new ByteArrayOutputStream();
        int copied = 0;
        for (int start = 0; start < text.length; ) {
            int end = start;
            while (end < text.length && text[end] != '\n') {
                end++;
            }
            if (end - start > LONGEST) {
                folded.write(text, copied, start - copied);
                String line = mask.apply(new String(text, start, end - start, StandardCharsets.UTF_8));
                folded.writeBytes(pieces(line).getBytes(StandardCharsets.UTF_8));
                copied = end;
            }
            start = end + 1;
        }
        if (copied == 0) {
            return Optional.empty();
        }
        folded.write(text, copied, text.length - copied);
        return Optional.of(folded.toByteArray());
    }

    private static String pieces(String line) {
        StringBuilder pieces = new StringBuilder(line.length() + line.length() / LONGEST);
        for (int start = 0; start < line.length(); ) {
            int end = Math.min(line.length(), start + LONGEST);
            end -= end < line.length() && Character.isHighSurrogate(line.charAt(end - 1)) ? 1 : 0;
            pieces.append(start == 0 ? "" : "\n").append(line, start, end);
            start = end;
        }
        return pieces.toString();
    }
}
