package dev.talaria.engine.gate.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The words of a program, sorted into options and operands. Options may stand anywhere.
///
/// @param options in their order, with their values; letters without dashes, long names as they were
///     written
/// @param operands the other words
record Arguments(List<Option> options, List<String> operands) {
    record Option(String name, String value) {
        /// Returns whether this is a letter, or a long option that may be cut short.
        boolean is(String name) {
            boolean letter = name.length() == 1 || this.name.length() == 1;
            return letter ? this.name.equals(name) : name.startsWith(this.name);
        }
    }

    /// @param letters options of one letter that take a value
    /// @param names long options that take a value, which may stand in the next word
    static Arguments of(List<String> words, String letters, List<String> names) {
        return of(words, letters, names, false);
    }

    /// @param first whether options end with the first operand
    static Arguments of(List<String> words, String letters, List<String> names, boolean first) {
        List<Option> options = new ArrayList<>();
        List<String> operands = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            String next = i + 1 < words.size() ? words.get(i + 1) : "";
            if (word.equals("--") || (first && !operands.isEmpty())) {
                operands.addAll(words.subList(i + (word.equals("--") ? 1 : 0), words.size()));
                break;
            }
            if (word.startsWith("--")) {
                i += named(word, next, names, options);
            } else if (word.length() > 1 && word.charAt(0) == '-') {
                i += bundle(word, next, letters, options);
            } else {
                operands.add(word);
            }
        }
        return new Arguments(options, operands);
    }

    private static int named(String word, String next, List<String> names, List<Option> options) {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word.substring(2) : word.substring(2, equals);
        boolean takes = equals < 0 && names.stream().anyMatch(one -> one.startsWith(name));
        options.add(new Option(name, equals < 0 ? takes ? next : "" : word.substring(equals + 1)));
        return takes ? 1 : 0;
    }

    private static int bundle(String word, String next, String letters, List<Option> options) {
        for (int i = 1; i < word.length(); i++) {
            String letter = word.substring(i, i + 1);
            if (letters.contains(letter)) {
                boolean here = i + 1 < word.length();
                options.add(new Option(letter, here ? word.substring(i + 1) : next));
                return here ? 0 : 1;
            }
            options.add(new Option(letter, ""));
        }
        return 0;
    }

    boolean has(String... names) {
        return options.stream().anyMatch(option -> List.of(names).stream().anyMatch(option::is));
    }

    List<String> values(String... names) {
        return options.stream()
                .filter(option -> List.of(names).stream().anyMatch(option::is))
                .map(Option::value)
                .filter(value -> !value.isEmpty())
                .toList();
    }

    /// Returns the last value of an option.
    Optional<String> value(String... names) {
        return values(names).reversed().stream().findFirst();
    }

    Optional<String> last() {
        return operands.isEmpty() ? Optional.empty() : Optional.of(operands.getLast());
    }
}
