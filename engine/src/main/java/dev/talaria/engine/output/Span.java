package dev.talaria.engine.output;

import java.util.List;

/// A piece of a text, with its replacement.
record Span(int from, int to, String replacement) {

    /// Returns the text with the spans replaced. Of overlapping spans the earlier one counts, then
    /// the longer one.
    static String replace(String text, List<Span> spans) {
        if (spans.isEmpty()) {
            return text;
        }
        var out = new StringBuilder(text.length());
        int done = 0;
        for (Span span : spans.stream().sorted(Span::inOrder).toList()) {
            if (span.from >= done) {
                out.append(text, done, span.from).append(span.replacement);
                done = span.to;
            }
        }
        return out.append(text, done, text.length()).toString();
    }

    private static int inOrder(Span a, Span b) {
        return a.from != b.from ? Integer.compare(a.from, b.from) : Integer.compare(b.to, a.to);
    }
}
