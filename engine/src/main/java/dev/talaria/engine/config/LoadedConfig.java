package dev.talaria.engine.config;

import java.util.List;

/// The loaded configuration. The settings are usable even if there are problems: a value with a problem is left out,
/// never guessed, and a project file changes nothing that it may not change.
///
/// @param settings the effective settings
/// @param values each key with its effective value and where that came from, in the order of the documentation
/// @param problems the values that could not be used; a door that goes on with problems ignores what the user wrote
/// @param warnings a sentence for each value that counts differently from how it was written
public record LoadedConfig(
        Settings settings, List<ConfigValue> values, List<ConfigProblem> problems, List<String> warnings) {
    public LoadedConfig {
        values = List.copyOf(values);
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }

    /// Returns the problems that the user has to solve before anything can start. Problems of a project's file
    /// are not among them, since a project must not be able to stop Talaria.
    public List<ConfigProblem> ofUser() {
        return problems.stream()
                .filter(problem -> !(problem.origin() instanceof Origin.ProjectFile))
                .toList();
    }

    /// Returns the problems of the project's file. Its other values count.
    public List<ConfigProblem> ofProject() {
        return problems.stream()
                .filter(problem -> problem.origin() instanceof Origin.ProjectFile)
                .toList();
    }
}
