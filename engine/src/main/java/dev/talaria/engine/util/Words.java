package dev.talaria.engine.util;

import java.util.List;
import java.util.Set;

/// Takes tables of words apart that are written as one text.
public final class Words {
    private Words() {}

    /// Returns the words, which blanks and line breaks separate.
    public static List<String> list(String text) {
        return List.of(text.strip().split("\\s+", -1));
    }

    public static Set<String> set(String text) {
        return Set.copyOf(list(text));
    }
}
