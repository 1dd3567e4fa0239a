package dev.talaria.cli;

import java.util.Optional;

/// An option of a command.
///
/// @param name the name with its dashes
/// @param label the name of its value in the help; absent if the option takes no value
/// @param repeated whether it may be given several times
record Option(String name, Optional<String> label, boolean repeated, String description) {

    static Option flag(String name, String description) {
        return new Option(name, Optional.empty(), false, description);
    }

    static Option of(String name, String label, String description) {
        return new Option(name, Optional.of(label), false, description);
    }

    static Option repeated(String name, String label, String description) {
        return new Option(name, Optional.of(label), true, description + " May be repeated.");
    }

    /// Returns the option as it is written: `--timeout SECONDS`.
    String text() {
        return label.map(word -> name + " " + word).orElse(name);
    }
}
