package dev.talaria.backends.options;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// The user's home folder: what `HOME` says, as a shell takes it, or else the account's.
public final class HomeFolder {
    private HomeFolder() {}

    public static Path here() {
        return of(System.getenv());
    }

    public static Path of(Map<String, String> environment) {
        return absolute(environment, "HOME").orElseGet(() -> Path.of(System.getProperty("user.home", "/")));
    }

    /// Returns what an XDG variable names, or what stands for it below the home folder. A relative one does not count.
    public static Path of(Map<String, String> environment, String variable, String otherwise) {
        return absolute(environment, variable).orElseGet(() -> of(environment).resolve(otherwise));
    }

    /// Returns a path as it is meant: `~` at its start is the home folder.
    public static String expand(String path) {
        return path.equals("~") || path.startsWith("~/") ? here() + path.substring(1) : path;
    }

    private static Optional<Path> absolute(Map<String, String> environment, String variable) {
        return Optional.ofNullable(environment.get(variable))
                .filter(folder -> folder.startsWith("/"))
                .map(Path::of);
    }
}
