package dev.talaria.engine.gate.reading;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// What a command line finds where it runs, as far as earlier ones tell: a relative path means nothing without its
/// folder, and `$X` nothing without whoever set it.
///
/// @param folder the folder it starts in; asked only when a command needs it
/// @param variables by name
/// @param aliases by name, with what they stand for
/// @param functions by name, with their bodies
/// @param input what it reads, if that is given with it
/// @param home whose home `~` is
public record Surroundings(
        Supplier<Optional<String>> folder,
        Map<String, String> variables,
        Map<String, String> aliases,
        Map<String, String> functions,
        Optional<String> input,
        HomeFolder home) {

    /// Stands for the folder that a command line starts in, which is looked up only if it matters.
    static final String START = "\ue0fd";

    /// Stands for what is read where nothing is given to read: what somebody types, or nothing.
    static final String TYPED = "\ue0fc";

    /// Stands for a value that may be anything.
    public static final String UNTOLD = Marks.MADE;

    private static final String SOMEWHERE = "/src/project"; // where nothing is known of the folder

    public Surroundings {
        variables = Map.copyOf(variables);
        aliases = Map.copyOf(aliases);
        functions = Map.copyOf(functions);
    }

    /// Nothing is known.
    public static final Surroundings UNKNOWN = at(Optional::empty);

    /// Returns a place of which nothing but the folder is known.
    public static Surroundings at(Supplier<Optional<String>> folder) {
        return new Surroundings(folder, Map.of(), Map.of(), Map.of(), Optional.empty(), HomeFolder.UNKNOWN);
    }

    /// Returns these with another folder.
    public Surroundings in(Supplier<Optional<String>> newFolder) {
        return new Surroundings(newFolder, variables, aliases, functions, input, home);
    }

    /// Returns these with a path, which may be relative, as the folder.
    public Surroundings below(String path) {
        if (path.startsWith("/")) {
            return in(() -> Optional.of(Paths.normal(path)));
        }
        return path.equals("~") || path.startsWith("~/")
                ? in(() -> Optional.of(Paths.normal(home.path() + path.substring(1))))
                : in(() -> folder.get().map(start -> Paths.normal(start + "/" + path)));
    }

    /// Returns these with more variables.
    public Surroundings with(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(variables);
        all.putAll(more);
        return new Surroundings(folder, all, aliases, functions, input, home);
    }

    /// Returns these with somebody's home.
    public Surroundings with(HomeFolder newHome) {
        return new Surroundings(folder, variables, aliases, functions, input, newHome);
    }

    /// Returns these with something to read.
    public Surroundings reading(String newInput) {
        return new Surroundings(folder, variables, aliases, functions, Optional.of(newInput), home);
    }

    /// Returns a folder's path, where it began at the start.
    String folderOf(String path) {
        return path.startsWith(START)
                ? Paths.normal(folder.get().orElse(home.path() + SOMEWHERE) + path.substring(1))
                : path;
    }
}
