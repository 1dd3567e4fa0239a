package dev.talaria.engine.gate.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A program's options, read as `getopt_long` reads them: bundles of letters, shortened long names,
/// `--`.
///
/// @param found letters and long names in their order
/// @param rest the words behind the options
/// @param unclear whether an option is not known, so that the rest may begin elsewhere
record Options(List<Option> found, List<String> rest, boolean unclear) {

    record Option(String name, String value) {}

    /// Reads options.
    ///
    /// @param letters the letters that take a value; a letter followed by `?` takes a value in the
    ///     same word only. Letters without a value stand behind a slash; then any other letter is not
    ///     known
    /// @param names the long options; each takes as many values as there are `:` behind it, with `?`
    ///     one value in the same word only; `*` stands for any option without a value
    static Options of(List<String> words, String letters, List<String> names) {
        List<Option> found = new ArrayList<>();
        boolean unclear = false;
        int at = 0;
        while (at < words.size() && !split(found, names)) {
            String word = words.get(at);
            if (word.equals("--")) {
                at++;
                break;
            }
            if (word.length() < 2 || word.charAt(0) != '-') {
                break;
            }
            at++;
            if (word.startsWith("--")) {
                int equals = word.indexOf('=');
                String written = equals < 0 ? word.substring(2) : word.substring(2, equals);
                Optional<String> name = named(written, names);
                unclear |= (name.isEmpty() && !names.contains("*")) || UnknownValues.any(word);
                int takes = equals < 0
                        ? (int) name.orElse("").chars().filter(c -> c == ':').count()
                        : 0;
                String value =
                        equals > 0 ? word.substring(equals + 1) : takes > 0 && at < words.size() ? words.get(at) : "";
                at += takes;
                found.add(new Option(name.map(Options::bare).orElse(written), value));
                continue;
            }
            unclear |= UnknownValues.any(word) || !known(word, letters);
            String valued = letters.indexOf('/') < 0 ? letters : letters.substring(0, letters.indexOf('/'));
            at += bundle(word, valued, at < words.size() ? words.get(at) : "", found);
        }
        return new Options(found, words.subList(Math.min(at, words.size()), words.size()), unclear);
    }

    /// Returns whether the last option is `env -S 'words'`. The words that follow stand behind the
    /// words in its value.
    private static boolean split(List<Option> found, List<String> names) {
        return names.contains("split-string:")
                && !found.isEmpty()
                && (found.getLast().name().equals("S") || found.getLast().name().equals("split-string"));
    }

    /// Returns whether each letter of a bundle is known, up to a letter that takes the rest as its
    /// value.
    private static boolean known(String word, String letters) {
        int slash = letters.indexOf('/');
        for (int i = 1; i < word.length() && slash >= 0; i++) {
            int at = word.charAt(i) == '?' || word.charAt(i) == '/' ? -1 : letters.indexOf(word.charAt(i));
            if (at < 0) {
                return false;
            }
            if (at < slash) {
                break;
            }
        }
        return true;
    }

    /// Reads a bundle, and returns how many more words it takes.
    private static int bundle(String word, String letters, String next, List<Option> found) {
        for (int i = 1; i < word.length(); i++) {
            int known = letters.indexOf(word.charAt(i));
            String letter = String.valueOf(word.charAt(i));
            if (known < 0 || letter.equals("?")) {
                found.add(new Option(letter, ""));
                continue;
            }
            boolean optional = known + 1 < letters.length() && letters.charAt(known + 1) == '?';
            boolean here = i + 1 < word.length();
            found.add(new Option(letter, here ? word.substring(i + 1) : optional ? "" : next));
            return here || optional ? 0 : 1;
        }
        return 0;
    }

    /// Finds the option for a long name. A shortened name must be unambiguous.
    private static Optional<String> named(String written, List<String> names) {
        List<String> begin = new ArrayList<>();
        for (String name : names) {
            String bare = bare(name);
            if (bare.equals(written)) {
                return Optional.of(name);
            }
            if (bare.startsWith(written)) {
                begin.add(name);
            }
        }
        return begin.size() == 1 ? Optional.of(begin.getFirst()) : Optional.empty();
    }

    /// Returns a long option's name, without the signs for its values.
    private static String bare(String name) {
        int end = name.length();
        while (end > 0 && (name.charAt(end - 1) == ':' || name.charAt(end - 1) == '?')) {
            end--;
        }
        return name.substring(0, end);
    }

    boolean has(String... names) {
        return found.stream().anyMatch(option -> List.of(names).contains(option.name()));
    }

    /// Returns the last value of an option. Earlier values do not count.
    Optional<String> value(String... names) {
        return found.reversed().stream()
                .filter(option -> List.of(names).contains(option.name()))
                .map(Option::value)
                .findFirst();
    }

    List<String> values(String... names) {
        return found.stream()
                .filter(option -> List.of(names).contains(option.name()))
                .map(Option::value)
                .toList();
    }
}
