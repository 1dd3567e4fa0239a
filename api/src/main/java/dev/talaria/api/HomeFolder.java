package dev.talaria.api;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// Finds the user's home folder: the value of `HOME`, as in a shell, or the account's home.
public final class HomeFolder {
    private HomeFolder() {}

    /// Returns the home folder of this process.
    public static Path here() {
        return of(System.getenv());
    }

    /// Returns the home folder that an environment names.
    public static Path of(Map<String, String> environment) {
        return absolute(environment, "HOME").orElseGet(() -> Path.of(System.getProperty("user.home", "/")));
    }

    /// Returns the folder of an XDG variable, or its default below the home folder. A relative path
    /// does not count.
    public static Path of(Map<String, String> environment, String variable, String otherwise) {
        return absolute(environment, variable).orElseGet(() -> of(environment).resolve(otherwise));
    }

    /// Returns a path with a leading `~` replaced by the home folder.
    public static String expand(String path) {
        return path.equals("~") || path.startsWith("~/") ? here() + path.substring(1) : path;
    }

    private static Optional<Path> absolute(Map<String, String> environment, String variable) {
        return Optional.ofNullable(environment.get(variable))
                .filter(folder -> folder.startsWith("/") && folder.indexOf('\0') < 0)
                .map(Path::of);
    }
}
