package dev.talaria.cli;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The arguments of a command.
///
/// @param options the values by option; a flag has an empty value
/// @param positionals the other arguments, in order
record Arguments(Map<String, List<String>> options, List<String> positionals) {
    Arguments {
        options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
        positionals = List.copyOf(positionals);
    }

    /// Returns the arguments without one option.
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
