package dev.talaria.engine.config;

import java.util.List;

/// What came of reading the configuration. The settings are usable even if there are problems: a value with a problem
/// was left out, never guessed, and nothing that a project file may not do was done.
///
/// @param settings the effective settings
/// @param values each key with its effective value and where that came from, in the order of the documentation
/// @param problems what could not be used; doors that start work with problems ignore what the user asked for
/// @param warnings what was used differently from what was written, one sentence each
public record LoadedConfig(
        Settings settings, List<ConfigValue> values, List<ConfigProblem> problems, List<String> warnings) {
    public LoadedConfig {
        values = List.copyOf(values);
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }

    /// Returns the problems that the user has to solve before anything can start: those of a project's file are not
    /// among them, since whoever wrote that must not be able to stop anything.
    public List<ConfigProblem> ofUser() {
        return problems.stream()
                .filter(problem -> !(problem.origin() instanceof Origin.ProjectFile))
                .toList();
    }

    /// Returns the problems of the project's file. What could be used of it counts.
    public List<ConfigProblem> ofProject() {
        return problems.stream()
                .filter(problem -> problem.origin() instanceof Origin.ProjectFile)
                .toList();
    }
}
