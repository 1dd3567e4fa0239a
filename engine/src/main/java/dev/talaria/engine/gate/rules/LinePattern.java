package dev.talaria.engine.gate.rules;

import com.google.re2j.Pattern;
import org.jspecify.annotations.Nullable;

/// A rule's pattern. It is compiled when a line first may match it: most commands need none of the
/// patterns, and no program needs all of them.
final class LinePattern {
    private final String text;
    private final String head; // a line must begin with this text
    private volatile @Nullable Pattern compiled; // by the first thread that needs it; another thread may do the same

    LinePattern(String text) {
        this.text = text;
        this.head = head(text);
    }

    boolean foundIn(String line) {
        return line.startsWith(head) && compiled().matcher(line).find();
    }

    /// Compiles the pattern now, so that a mistake in it is found.
    Pattern compiled() {
        Pattern known = compiled;
        if (known == null) {
            known = Pattern.compile(text);
            compiled = known;
        }
        return known;
    }

    /// Returns the letters that a pattern begins with, if it is anchored: `rm` for `^rm(?: -\S+)*`.
    private static String head(String text) {
        int end = 1;
        while (end < text.length() && Character.isLetter(text.charAt(end))) {
            end++;
        }
        boolean repeated = end < text.length() && "?*+{".indexOf(text.charAt(end)) >= 0;
        return text.startsWith("^") && !choice(text) ? text.substring(1, repeated ? end - 1 : end) : "";
    }

    /// Returns whether the pattern has another alternative: `^a|b`.
    private static boolean choice(String text) {
        int open = 0;
        for (int i = 0; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case '\\' -> i++;
                case '(' -> open++;
                case ')' -> open--;
                case '|' -> {
                    if (open <= 0) {
                        return true;
                    }
                }
                default -> {}
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return text;
    }
}
