package dev.talaria.engine.gate.reading;

import java.util.Collection;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// Matches file name patterns with `*`, `?` and `[...]`.
final class Globs {
    private static final int LONGEST = 60;
    private static final Pattern NOTHING = Pattern.compile("(?!)");

    private Globs() {}

    /// Returns the first of the names that the shell could put in the place of a pattern.
    static Optional<String> find(String glob, Collection<String> names) {
        return !wild(glob) || glob.length() > LONGEST
                ? Optional.empty()
                : names.stream().filter(name -> matches(glob, 0, name, 0)).findFirst();
    }

    static boolean wild(String text) {
        return text.indexOf('*') >= 0 || text.indexOf('?') >= 0 || text.indexOf('[') >= 0;
    }

    /// Returns whether all sets in a pattern are plain ones, such as `[a-z0-9]`.
    static boolean plain(String glob) {
        return glob.replaceAll("\\\\.", "")
                        .replaceAll("\\[[!^]?[\\w.,:/ -]+\\]", "")
                        .indexOf('[')
                < 0;
    }

    /// Returns the regular expression of a glob, for a whole text.
    static Pattern pattern(String glob) {
        return compiled(regex(glob, false)).orElse(NOTHING);
    }

    static Optional<Pattern> compiled(String regex) {
        try {
            return Optional.of(Pattern.compile(regex, Pattern.DOTALL));
        } catch (PatternSyntaxException e) { // [z-a]
            return Optional.empty();
        }
    }

    /// Returns a glob as a regular expression.
    ///
    /// @param greedy whether a star matches as much as it can, as it does where text is replaced
    static String regex(String glob, boolean greedy) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < glob.length(); i++) {
            char c = glob.charAt(i);
            int end = c == '[' ? glob.indexOf(']', i + 2) : -1;
            switch (c) {
                case '*' -> out.append(greedy ? ".*" : ".*?");
                case '?' -> out.append('.');
                case '\\' -> {
                    if (i + 1 < glob.length()) {
                        out.append(Pattern.quote(String.valueOf(glob.charAt(++i))));
                    }
                }
                case '[' -> {
                    if (end < 0) {
                        out.append("\\[");
                    } else {
                        out.append(set(glob.substring(i + 1, end)));
                        i = end;
                    }
                }
                default -> out.append(Pattern.quote(String.valueOf(c)));
            }
        }
        return out.toString();
    }

    private static String set(String letters) {
        boolean not = letters.startsWith("!") || letters.startsWith("^");
        StringBuilder out = new StringBuilder(not ? "[^" : "[");
        for (int i = not ? 1 : 0; i < letters.length(); i++) {
            char c = letters.charAt(i);
            out.append(Character.isLetterOrDigit(c) || (c == '-' && i > 0 && i + 1 < letters.length()) ? "" : "\\")
                    .append(c);
        }
        return out.append(']').toString();
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
            return true; // [[:alpha:]] counts as a match
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
