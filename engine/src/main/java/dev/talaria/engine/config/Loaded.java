package dev.talaria.engine.config;

import java.util.List;

/// What came of reading the configuration. The settings are usable even if there are problems: a value with a problem
/// was left out, never guessed, and nothing that a project file may not do was done.
///
/// @param settings the effective settings
/// @param values each key with its effective value and where that came from, in the order of the documentation
/// @param problems what could not be used; doors that start work with problems ignore what the user asked for
/// @param warnings what was used differently from what was written, one sentence each
public record Loaded(Settings settings, List<Value> values, List<Problem> problems, List<String> warnings) {
    public Loaded {
        values = List.copyOf(values);
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }
}
