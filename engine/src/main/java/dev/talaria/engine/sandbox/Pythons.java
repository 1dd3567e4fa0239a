package dev.talaria.engine.sandbox;

import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.ScriptMode;
import dev.talaria.engine.config.ScriptSettings;
import dev.talaria.engine.util.StateFile;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds interpreters on this machine and asks each once whether it can be used.
public final class Pythons {
    private static final Logger LOG = LoggerFactory.getLogger(Pythons.class);
    static final String ASK = "import sys;print(sys.executable);print(*sys.version_info[:2])";
    private static final int PROBE_SECONDS = 5;
    private static final int MOST_REMEMBERED = 32;

    private final Map<String, String> environment;
    private final Map<String, String> childEnvironment;
    private final Path cache;
    private final Path memory;
    private final Map<String, Boolean> probed = new ConcurrentHashMap<>();

    /// @param environment the host's environment, which says where to look
    /// @param childEnvironment the environment for asking an interpreter; it holds no secrets, since a project's
    ///     interpreter may run any code
    public Pythons(Map<String, String> environment, Map<String, String> childEnvironment, Folders folders) {
        this.environment = Map.copyOf(environment);
        this.childEnvironment = Map.copyOf(childEnvironment);
        this.cache = folders.cache();
        this.memory = folders.cache().resolve("pythons.json");
    }

    /// Returns the interpreter for scripts on this machine; empty means that of the relay.
    ///
    /// @param foreign tells whether isolated scripts can write to a path; an interpreter there is not run
    ///     outside
    /// @param works tells whether such an interpreter can be used
    public Optional<String> ofScripts(ScriptSettings settings, Predicate<Path> foreign, Predicate<Path> works) {
        Optional<String> configured = settings.python();
        return configured.isPresent() || settings.mode() == ScriptMode.STRICT
                ? configured
                : inProject()
                        .filter(python -> foreign.test(python) ? works.test(python) : proved(python))
                        .or(() -> standard(foreign))
                        .map(Path::toString);
    }

    /// Returns the real path of this machine's `python3`, since a shim on the path may be a slow script.
    ///
    /// @param foreign tells whether isolated scripts can write to a path; an interpreter there is not asked
    public Optional<Path> standard(Predicate<Path> foreign) {
        for (String folder : environment.getOrDefault("PATH", "/usr/bin:/bin").split(File.pathSeparator, -1)) {
            Path candidate = Path.of(folder.isEmpty() ? "." : folder).resolve("python3");
            if (Files.isExecutable(candidate) && Files.isRegularFile(candidate)) {
                boolean shim = isScript(candidate);
                Optional<Path> real = !shim
                        ? Optional.of(candidate)
                        : foreign.test(candidate) ? Optional.empty() : remembered(candidate);
                if (real.isPresent()) {
                    return real;
                }
            }
        }
        return Optional.empty();
    }

    /// Returns the interpreter of the active virtual environment; empty if there is none that works.
    public Optional<Path> ofProject() {
        return inProject().filter(this::proved);
    }

    /// Returns whether the interpreter at a path is Python 3.8 or newer. Each file at the path is asked once.
    private boolean proved(Path python) {
        boolean usable = fileAt(python)
                .map(file -> probed.computeIfAbsent(file, _ -> probe(python).isPresent()))
                .orElse(false);
        if (!usable) {
            LOG.info("{} is not Python 3.8 or newer; using python3 instead", python);
        }
        return usable;
    }

    /// Returns whether an interpreter is in a folder. Only links to folders are followed: a virtual
    /// environment's `python` is a link to the interpreter of another folder.
    static boolean isIn(Path folder, Path python) {
        Path absolute = python.toAbsolutePath().normalize();
        return absolute.startsWith(folder)
                || real(Optional.ofNullable(absolute.getParent()).orElse(absolute))
                        .startsWith(real(folder));
    }

    private static Path real(Path folder) {
        try {
            return folder.toRealPath();
        } catch (IOException e) {
            return folder;
        }
    }

    private Optional<Path> inProject() {
        return Stream.of("VIRTUAL_ENV", "CONDA_PREFIX")
                .map(variable -> environment.getOrDefault(variable, "").strip())
                .filter(root -> !root.isEmpty())
                .flatMap(root -> Stream.of("python", "python3").map(name -> Path.of(root, "bin", name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// Returns the identity of the file at a path, so that a new file there is asked anew.
    static Optional<String> fileAt(Path python) {
        try {
            return Optional.of(python + "|" + Files.getLastModifiedTime(python, LinkOption.NOFOLLOW_LINKS) + "|"
                    + Files.getLastModifiedTime(python));
        } catch (IOException e) {
            return Optional.empty(); // the file does not exist yet
        }
    }

    private static boolean isScript(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return in.read() == '#' && in.read() == '!';
        } catch (IOException e) {
            return false;
        }
    }

    /// Returns the real interpreter behind a shim. The answer is kept between starts, since asking a shim takes
    /// longer than the rest of a start.
    private Optional<Path> remembered(Path shim) {
        try {
            String key = shim + "|" + Files.getLastModifiedTime(shim).toMillis() + "|"
                    + environment.getOrDefault("PYENV_VERSION", "") + "|"
                    + Path.of("").toAbsolutePath();
            Map<String, Object> known = load();
            if (known.get(key) instanceof String path && Files.isExecutable(Path.of(path))) {
                return Optional.of(Path.of(path));
            }
            Optional<Path> found = probe(shim);
            found.ifPresent(path -> store(known, key, path));
            return found;
        } catch (IOException e) {
            return probe(shim);
        }
    }

    private Map<String, Object> load() {
        try {
            return StateFile.read(memory);
        } catch (IOException | IllegalArgumentException e) {
            return Map.of();
        }
    }

    private void store(Map<String, Object> known, String key, Path path) {
        Map<String, Object> all = new LinkedHashMap<>();
        known.entrySet().stream()
                .skip(Math.max(0, known.size() - MOST_REMEMBERED + 1L))
                .forEach(entry -> all.put(entry.getKey(), entry.getValue()));
        all.put(key, path.toString());
        try {
            var _ = Folders.create(cache);
            StateFile.write(memory, all);
        } catch (IOException e) {
            LOG.debug("Cannot remember an interpreter", e);
        }
    }

    private Optional<Path> probe(Path python) {
        try {
            ProcessBuilder builder = new ProcessBuilder(python.toString(), "-c", ASK)
                    .redirectInput(new File("/dev/null"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().clear();
            builder.environment().putAll(childEnvironment);
            Process process = builder.start();
            if (!process.waitFor(PROBE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return Optional.empty();
            }
            String[] said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split("\\s+", 4);
            return said.length >= 3 && said[1].equals("3") && Integer.parseInt(said[2]) >= 8
                    ? Optional.of(Path.of(said[0]))
                    : Optional.empty();
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
