package dev.talaria.engine.decide.reading;

import java.util.Collection;
import java.util.Optional;

/// Names with `*`, `?` and `[...]` in them, which the shell replaces by those of files.
final class Globs {
    private static final int LONGEST = 60;

    private Globs() {}

    /// Returns the first of the names that the shell could put in the place of a word.
    static Optional<String> find(String glob, Collection<String> names) {
        return !wild(glob) || glob.length() > LONGEST
                ? Optional.empty()
                : names.stream().filter(name -> matches(glob, 0, name, 0)).findFirst();
    }

    static boolean wild(String text) {
        return text.indexOf('*') >= 0 || text.indexOf('?') >= 0 || text.indexOf('[') >= 0;
    }

    private static boolean matches(String glob, int from, String name, int start) {
        int at = start;
        for (int i = from; i < glob.length(); i++) {
            char c = glob.charAt(i);
            if (c == '*') {
                while (i + 1 < glob.length() && glob.charAt(i + 1) == '*') {
                    i++;
                }
                for (int rest = at; rest <= name.length(); rest++) {
                    if (matches(glob, i + 1, name, rest)) {
                        return true;
                    }
                }
                return false;
            }
            if (at >= name.length()) {
                return false;
            }
            int end = c == '[' ? glob.indexOf(']', i + 2) : -1;
            if (end > 0) {
                if (!inClass(glob.substring(i + 1, end), name.charAt(at))) {
                    return false;
                }
                i = end;
            } else if (c != '?' && c != name.charAt(at)) {
                return false;
            }
            at++;
        }
        return at == name.length();
    }

    private static boolean inClass(String letters, char c) {
        boolean not = letters.startsWith("!") || letters.startsWith("^");
        String set = not ? letters.substring(1) : letters;
        if (set.startsWith("[:")) {
            return true; // [[:alpha:]]: take it for a match
        }
        boolean found = false;
        for (int i = 0; i < set.length(); i++) {
            if (i + 2 < set.length() && set.charAt(i + 1) == '-') {
                found |= c >= set.charAt(i) && c <= set.charAt(i + 2);
                i += 2;
            } else {
                found |= set.charAt(i) == c;
            }
        }
        return found != not;
    }
}
