package dev.talaria.engine.gate.reading;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// The surroundings that a command line runs in, as far as earlier lines tell. A relative path means
/// nothing without its folder, and `$X` nothing without its value.
///
/// @param folder the start folder; asked only when a command needs it
/// @param variables values by name
/// @param aliases the text that each alias stands for, by name
/// @param functions bodies by name
/// @param input the input of the command, if it is given
/// @param home the home that `~` stands for
public record ShellContext(
        Supplier<Optional<String>> folder,
        Map<String, String> variables,
        Map<String, String> aliases,
        Map<String, String> functions,
        Optional<String> input,
        HomeFolder home) {

    /// Stands for the start folder of a command line, which is looked up only if it matters.
    static final String START = "\ue0fd";

    /// Stands for input that is not given: what somebody types, or nothing.
    static final String TYPED = "\ue0fc";

    /// Stands for a value that may be anything.
    public static final String UNTOLD = UnknownValues.MADE;

    private static final String SOMEWHERE = "/src/project"; // the start folder, if it is not known

    public ShellContext {
        variables = Map.copyOf(variables);
        aliases = Map.copyOf(aliases);
        functions = Map.copyOf(functions);
    }

    /// Surroundings without any knowledge.
    public static final ShellContext UNKNOWN = at(Optional::empty);

    /// Returns surroundings of which only the folder is known.
    public static ShellContext at(Supplier<Optional<String>> folder) {
        return new ShellContext(folder, Map.of(), Map.of(), Map.of(), Optional.empty(), HomeFolder.UNKNOWN);
    }

    /// Returns a copy with another folder.
    public ShellContext in(Supplier<Optional<String>> newFolder) {
        return new ShellContext(newFolder, variables, aliases, functions, input, home);
    }

    /// Returns a copy with another folder, whose path may be relative.
    public ShellContext below(String path) {
        if (path.startsWith("/")) {
            return in(() -> Optional.of(Paths.normal(path)));
        }
        return path.equals("~") || path.startsWith("~/")
                ? in(() -> Optional.of(Paths.normal(home.path() + path.substring(1))))
                : in(() -> folder.get().map(start -> Paths.normal(start + "/" + path)));
    }

    /// Returns a copy with more variables.
    public ShellContext with(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(variables);
        all.putAll(more);
        return new ShellContext(folder, all, aliases, functions, input, home);
    }

    /// Returns a copy with another home.
    public ShellContext with(HomeFolder newHome) {
        return new ShellContext(folder, variables, aliases, functions, input, newHome);
    }

    /// Returns a copy with input.
    public ShellContext reading(String newInput) {
        return new ShellContext(folder, variables, aliases, functions, Optional.of(newInput), home);
    }

    /// Returns a path in which the real path replaces the mark for the start folder.
    String folderOf(String path) {
        return path.startsWith(START)
                ? Paths.normal(folder.get().orElse(home.path() + SOMEWHERE) + path.substring(1))
                : path;
    }
}
