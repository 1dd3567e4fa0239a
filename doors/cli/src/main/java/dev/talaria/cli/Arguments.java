package dev.talaria.cli;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What was written after a command's name.
///
/// @param options values by the option's name; a flag has an empty one
/// @param positionals what is no option, in order
record Arguments(Map<String, List<String>> options, List<String> positionals) {
    Arguments {
        options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
        positionals = List.copyOf(positionals);
    }

    /// Returns the same without an option, whose meaning another one knows.
    Arguments without(String option) {
        Map<String, List<String>> fewer = new LinkedHashMap<>(options);
        fewer.remove(option);
        return new Arguments(fewer, positionals);
    }

    boolean has(String option) {
        return options.containsKey(option);
    }

    Optional<String> value(String option) {
        return values(option).stream().findFirst();
    }

    List<String> values(String option) {
        return options.getOrDefault(option, List.of());
    }

    Optional<String> positional(int index) {
        return index < positionals.size() ? Optional.of(positionals.get(index)) : Optional.empty();
    }
}
