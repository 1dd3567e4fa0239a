package dev.talaria.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Reads what `./dev/testbed` has installed: from the variables `TALARIA_TESTBED_*`, or from the file
/// that it wrote.
public final class Testbed {
    private static final String PREFIX = "TALARIA_TESTBED_";
    private static final Map<String, String> FILE = read();

    private Testbed() {}

    /// Returns a value such as `DOCKER_CONTAINER`, if that component is installed.
    public static Optional<String> value(String name) {
        return Optional.ofNullable(System.getenv(PREFIX + name))
                .or(() -> Optional.ofNullable(FILE.get(PREFIX + name)))
                .filter(text -> !text.isBlank());
    }

    /// Returns why a component such as `docker` is missing.
    public static String whyMissing(String component) {
        return value(component.toUpperCase(Locale.ROOT) + "_MISSING")
                .orElse("the testbed has no " + component + "; run ./dev/testbed");
    }

    private static Map<String, String> read() {
        String cache = Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                .orElseGet(() -> System.getProperty("user.home") + "/.cache");
        try {
            return Files.readAllLines(Path.of(cache, "talaria-testbed", "testbed.env")).stream()
                    .map(line -> line.split("=", 2))
                    .filter(parts -> parts.length == 2)
                    .collect(Collectors.toMap(parts -> parts[0], parts -> unquote(parts[1]), (first, last) -> last));
        } catch (IOException e) {
            return Map.of();
        }
    }

    private static String unquote(String word) {
        return word.length() >= 2 && word.startsWith("'") && word.endsWith("'")
                ? word.substring(1, word.length() - 1)
                : word;
    }
}
