package dev.talaria.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Reads the variables of `./dev/testbed`, from the environment or from the file that it wrote.
final class Testbed {
    private static final String PREFIX = "TALARIA_TESTBED_";

    private Testbed() {}

    static String require(String name) throws Row.Unavailable, IOException {
        Optional<String> value = find(name);
        if (value.isEmpty()) {
            throw new Row.Unavailable("no " + PREFIX + name + "; run ./dev/testbed");
        }
        return value.get();
    }

    private static Optional<String> find(String name) throws IOException {
        Optional<String> set = Optional.ofNullable(System.getenv(PREFIX + name));
        Path file = Path.of(
                Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                        .orElse(System.getProperty("user.home") + "/.cache"),
                "talaria-testbed",
                "testbed.env");
        if (set.isPresent() || !Files.isReadable(file)) {
            return set;
        }
        String start = PREFIX + name + "='";
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(start) && line.endsWith("'"))
                .map(line -> line.substring(start.length(), line.length() - 1))
                .findFirst();
    }
}
