package dev.talaria.engine.decide.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `{rm,-rf,/}` is three words, and `/{etc,usr}` two. Only braces and commas outside of quotes count: the reader marks
/// them.
final class Braces {
    /// Marks from the Unicode's private area, for signs outside of quotes.
    static final char OPEN = '\ue000';

    static final char COMMA = '\ue001';
    static final char CLOSE = '\ue002';

    private static final int MOST_WORDS = 500;
    private static final int MOST_CHARS = 20_000;

    private Braces() {}

    static char mark(char c) {
        return switch (c) {
            case '{' -> OPEN;
            case ',' -> COMMA;
            case '}' -> CLOSE;
            default -> c;
        };
    }

    /// Returns the text with its signs as they were written.
    static String plain(String marked) {
        return marked.replace(OPEN, '{').replace(COMMA, ',').replace(CLOSE, '}');
    }

    /// Returns the words that a marked one stands for; nothing if there are too many.
    static Optional<List<String>> expand(String marked) {
        if (marked.indexOf(COMMA) < 0 || marked.indexOf(OPEN) < 0) {
            return Optional.of(List.of(plain(marked)));
        }
        List<String> done = new ArrayList<>();
        List<String> open = new ArrayList<>(List.of(marked));
        int chars = 0;
        while (!open.isEmpty()) {
            String one = open.removeLast();
            Optional<List<String>> alternatives = first(one);
            if (alternatives.isEmpty()) {
                String word = plain(one);
                chars += word.length() + 1;
                if (!word.isEmpty()) {
                    done.add(word);
                }
            } else {
                chars += one.length();
                open.addAll(alternatives.get().reversed());
            }
            if (done.size() + open.size() > MOST_WORDS || chars > MOST_CHARS) {
                return Optional.empty();
            }
        }
        return Optional.of(done);
    }

    /// Expands the innermost pair that closes first; nothing if there is none with a comma in it.
    private static Optional<List<String>> first(String text) {
        int open = -1;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == OPEN) {
                open = i;
            } else if (c == CLOSE && open >= 0) {
                String inner = text.substring(open + 1, i);
                if (inner.indexOf(COMMA) >= 0) {
                    List<String> all = new ArrayList<>();
                    for (String part : inner.split(String.valueOf(COMMA), -1)) {
                        all.add(text.substring(0, open) + part + text.substring(i + 1));
                    }
                    return Optional.of(all);
                }
                open = -1;
            }
        }
        return Optional.empty();
    }
}
