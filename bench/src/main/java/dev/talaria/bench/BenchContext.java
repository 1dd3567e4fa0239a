package dev.talaria.bench;

import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.sandbox.Pythons;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The surroundings of benchmarks: a checkout, an interpreter, and a temporary folder.
///
/// @param home the checkout
/// @param folder temporary; it contains all state of the measured engines
/// @param python the interpreter of scripts here, and so that of the floors
/// @param pairs the number of pairs of floor and ours that a row measures
record BenchContext(Path home, Path folder, Path python, int pairs) implements AutoCloseable {
    private static final int MOST_WARM_UP = 200;

    static BenchContext open(Path home, int pairs) throws IOException {
        Path folder = Files.createTempDirectory("talaria-bench-");
        Pythons pythons = new Pythons(System.getenv(), System.getenv(), Folders.below(folder));
        Path python = pythons.ofProject()
                .or(() -> pythons.standard(_ -> false))
                .orElseThrow(
                        () -> new IOException("There is no python3 on the PATH. Install it (apt install python3)."));
        return new BenchContext(home, folder, python, pairs);
    }

    Path floor(String name) {
        return home.resolve("bench/floors").resolve(name);
    }

    Path launcher() {
        return home.resolve("talaria");
    }

    /// Returns the command that starts a floor's program.
    List<String> python(String floor, String argument) {
        return List.of(python.toString(), floor(floor).toString(), argument);
    }

    /// Returns how often to do something that takes about as long as `weight` pairs.
    int rounds(int weight) {
        return Math.max(1, pairs / weight);
    }

    /// Returns the number of unmeasured rounds that warm up compilers and caches.
    int warmUp() {
        return Math.min(4 * pairs, MOST_WARM_UP);
    }

    Settings settings() {
        return Settings.defaults(Folders.below(folder)).withCwd(folder.toString());
    }

    /// Returns an environment in which another Talaria keeps its state here and reads nobody's
    /// configuration.
    Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.remove("PYTHONUNBUFFERED"); // scripts do not get it, and with it a floor would be slower
        environment.put("XDG_CONFIG_HOME", folder.resolve("xdg/config").toString());
        environment.put("XDG_STATE_HOME", folder.resolve("xdg/state").toString());
        environment.put("XDG_CACHE_HOME", folder.resolve("xdg/cache").toString());
        return environment;
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot remove " + folder, e);
        }
    }
}
