package dev.talaria.engine.util;

import java.util.List;
import java.util.Set;

/// Splits tables of words that are written as one text.
public final class Words {
    private Words() {}

    /// Returns the words of a text, separated by blanks and line breaks.
    public static List<String> list(String text) {
        return List.of(text.strip().split("\\s+", -1));
    }

    /// Returns the words of each line. A dash stands for an empty word.
    public static List<List<String>> rows(String text) {
        return text.lines()
                .map(line -> list(line).stream()
                        .map(word -> word.equals("-") ? "" : word)
                        .toList())
                .toList();
    }

    /// Returns the parts of a word, separated by commas.
    public static List<String> parts(String word) {
        return word.isEmpty() ? List.of() : List.of(word.split(",", -1));
    }

    public static Set<String> set(String text) {
        return Set.copyOf(list(text));
    }
}
