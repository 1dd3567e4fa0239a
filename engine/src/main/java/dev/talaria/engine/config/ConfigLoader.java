package dev.talaria.engine.config;

import static dev.talaria.engine.config.ConfigKey.InProject.IN_SANDBOX;
import static dev.talaria.engine.config.ConfigKey.InProject.REFUSED;

import dev.talaria.api.Backend;
import dev.talaria.api.Backends;
import dev.talaria.engine.config.Origin.CommandLine;
import dev.talaria.engine.config.Origin.Default;
import dev.talaria.engine.config.Origin.ProjectFile;
import dev.talaria.engine.config.Origin.UserFile;
import dev.talaria.engine.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Reads the configuration in layers, each over the one before: defaults, the user's `talaria.yaml`, the
/// environment, the project's `talaria.yaml` (which can only narrow), the command line. Problems are collected,
/// not thrown.
public final class ConfigLoader {
    private final Choices choices = new Choices();
    private final List<ConfigProblem> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final Folders folders;
    private final Function<String, Optional<Backend>> backends;

    private ConfigLoader(Folders folders, Function<String, Optional<Backend>> backends) {
        this.folders = folders;
        this.backends = backends;
    }

    /// Reads the configuration with the folders that the environment names.
    public static LoadedConfig load(Map<String, String> environment, Path project, Map<String, String> overrides) {
        return load(environment, project, Folders.of(environment), overrides);
    }

    /// Reads the configuration.
    ///
    /// @param environment the variables of this process
    /// @param project the working folder, whose `talaria.yaml` may narrow what is allowed
    /// @param folders where the user's `talaria.yaml` is
    /// @param overrides values from the command line, by the full names of their keys
    public static LoadedConfig load(
            Map<String, String> environment, Path project, Folders folders, Map<String, String> overrides) {
        return load(environment, project, folders, overrides, Backends::find);
    }

    /// @param backends finds a backend by its name
    static LoadedConfig load(
            Map<String, String> environment,
            Path project,
            Folders folders,
            Map<String, String> overrides,
            Function<String, Optional<Backend>> backends) {
        ConfigLoader loader = new ConfigLoader(folders, backends);
        loader.userFile();
        loader.environment(environment);
        loader.projectFile(project.toAbsolutePath().normalize().resolve("talaria.yaml"));
        loader.commandLine(overrides);
        loader.checkTogether(environment);
        Settings settings = Settings.from(loader.choices, folders);
        loader.checkSharing(settings);
        return new LoadedConfig(settings, loader.choices.shown(), loader.problems, loader.warnings);
    }

    private void userFile() {
        Path file = folders.configFile();
        ConfigFile.Content content = ConfigFile.read(file, line -> new UserFile(file, line));
        problems.addAll(content.problems());
        content.entries().forEach(this::set);
        if (!content.entries().isEmpty() && permissions(file).contains(PosixFilePermission.OTHERS_WRITE)) {
            warnings.add(PrintableText.bare(file.toString())
                    + " can be changed by every user of this machine. Run: chmod go-w on it.");
        }
        if (choices.value(SudoSettings.PASSWORD).isPresent()
                && permissions(file).contains(PosixFilePermission.OTHERS_READ)) {
            warnings.add(PrintableText.bare(file.toString())
                    + " holds a password and can be read by every user of this machine. Run: chmod 600 on it.");
        }
    }

    private void environment(Map<String, String> environment) {
        HostVariables.Content content = HostVariables.read(environment);
        warnings.addAll(content.warnings());
        content.entries().forEach(this::set);
    }

    private void projectFile(Path file) {
        if (isUserFile(file)) {
            return;
        }
        if (Files.isSymbolicLink(file)) { // messages about the file would show the content of another file
            problems.add(new ConfigProblem(
                    new ProjectFile(file, 0), Optional.empty(), "it is a link.", "Put a file of the project there."));
            return;
        }
        ConfigFile.Content content = ConfigFile.read(file, line -> new ProjectFile(file, line));
        problems.addAll(content.problems());
        for (ConfigEntry entry : content.entries()) {
            ConfigKeys.find(entry.key()).ifPresentOrElse(key -> narrow(key, entry), () -> refuse(entry));
        }
    }

    private void commandLine(Map<String, String> overrides) {
        overrides.forEach((key, text) -> {
            if (ConfigKeys.find(key).isPresent() || ConfigFile.backendOption(key)) {
                set(new ConfigEntry(key, new WrittenValue.Text(text), new CommandLine()));
            } else {
                problem(new CommandLine(), key, "there is no such key.", KeyNames.suggestion(key));
            }
        });
    }

    private void set(ConfigEntry entry) {
        ConfigKeys.find(entry.key()).ifPresentOrElse(key -> setKey(key, entry), () -> setOption(entry));
    }

    private <T> void setKey(ConfigKey<T> key, ConfigEntry entry) {
        parse(key, entry).ifPresent(value -> choices.put(key, value, entry.origin()));
    }

    private void setOption(ConfigEntry entry) {
        try {
            String text = entry.written() instanceof WrittenValue.Items(var items)
                    ? Json.text(items)
                    : entry.written().one();
            choices.putOption(entry.key(), text, entry.origin());
        } catch (IllegalArgumentException e) {
            problem(entry.origin(), entry.key(), sentence(e), "Use one text.");
        }
    }

    private <T> void narrow(ConfigKey<T> key, ConfigEntry entry) {
        if (key.inProject() == REFUSED) {
            refuse(entry);
            return;
        }
        T current = choices.value(key);
        parse(key, entry).ifPresent(proposed -> {
            T allowed = key.inProject() == IN_SANDBOX
                    ? proposed
                    : key.kind().narrower().apply(proposed, current);
            if (!allowed.equals(proposed)) {
                problem(
                        entry.origin(),
                        key.name(),
                        "a project file can only narrow " + key.kind().show().apply(current) + ", not widen it.",
                        moveToUserFile(entry));
            }
            if (!allowed.equals(current)) {
                choices.put(key, allowed, entry.origin());
            }
        });
    }

    private void refuse(ConfigEntry entry) {
        problem(
                entry.origin(),
                entry.key(),
                "a project file cannot set this, since the agent can edit it.",
                moveToUserFile(entry));
    }

    private <T> Optional<T> parse(ConfigKey<T> key, ConfigEntry entry) {
        try {
            return Optional.of(key.kind().parse().apply(entry.written()));
        } catch (IllegalArgumentException e) {
            if (key.equals(ScriptSettings.MODE)) {
                // Hermes goes on with the default, and programs that are written for it rely on that.
                warnings.add(entry.origin().text() + ": " + key.name() + ": " + sentence(e) + " Using "
                        + key.kind().show().apply(choices.value(key)) + "; write " + key.form() + ".");
            } else {
                problem(entry.origin(), key.name(), sentence(e), "Use " + key.form() + ".");
            }
            return Optional.empty();
        }
    }

    private void checkTogether(Map<String, String> environment) {
        ceiling(ScriptSettings.TIMEOUT, ScriptSettings.TIMEOUT_CEILING);
        ceiling(ScriptSettings.TOOL_CALLS, ScriptSettings.TOOL_CALLS_CEILING);
        Duration commands = choices.value(TerminalSettings.TIMEOUT);
        if (choices.origin(TerminalSettings.FOREGROUND_CEILING) instanceof Default
                && commands.compareTo(choices.value(TerminalSettings.FOREGROUND_CEILING)) > 0) {
            // Hermes' users set only one of the two.
            choices.put(TerminalSettings.FOREGROUND_CEILING, commands, choices.origin(TerminalSettings.TIMEOUT));
        }
        ceiling(TerminalSettings.TIMEOUT, TerminalSettings.FOREGROUND_CEILING);
        String backend = choices.value(Settings.BACKEND);
        if (choices.origin(ScriptSettings.PYTHON) instanceof ProjectFile file
                && backends.apply(backend).filter(found -> !found.isolates()).isPresent()) {
            warnings.add(file.text()
                    + ": script.python: a project file names an interpreter for sandboxes that isolate,"
                    + " so on " + backend + " it does not count. If you trust it, "
                    + inUserFile(
                            "script.python",
                            new WrittenValue.Text(
                                            choices.value(ScriptSettings.PYTHON).orElse(""))
                                    .yaml()));
        }
        warnings.addAll(HostVariables.unused(environment, backend));
    }

    private void checkSharing(Settings settings) {
        if (settings.sandbox().sharedKey().isPresent()) {
            backends.apply(settings.backend())
                    .filter(found -> found.sharesWhatItKeeps(settings.backendOptions()) && !settings.keeps(found))
                    .flatMap(Backend::keepOption)
                    .ifPresent(option -> warnings.add(
                            "sandbox.shared-key does not count: nothing is kept of this container. Set backends."
                                    + settings.backend() + "." + option + ": true."));
        }
    }

    /// Resolves a limit that is above its ceiling. A value that nobody chose is adapted, and a value that a
    /// project has narrowed stays. Otherwise it is a problem, and the user has to change one of the two.
    private <T extends Comparable<T>> void ceiling(ConfigKey<T> limit, ConfigKey<T> ceiling) {
        T most = choices.value(ceiling);
        T value = choices.value(limit);
        if (value.compareTo(most) <= 0) {
            return;
        }
        Origin origin = choices.origin(limit);
        Origin ceilingOrigin = choices.origin(ceiling);
        boolean project = ceilingOrigin instanceof ProjectFile;
        if (!(origin instanceof Default) && (!project || origin instanceof CommandLine)) {
            String wanted = limit.kind().show().apply(value);
            problem(
                    origin,
                    limit.name(),
                    wanted + " is above " + ceiling.name() + ", which is "
                            + ceiling.kind().show().apply(most) + " (" + ceilingOrigin.text() + ").",
                    project
                            ? "Lower it, or raise the ceiling there."
                            : "Lower it, or " + inUserFile(ceiling.name(), wanted));
        }
        choices.put(limit, most, ceilingOrigin);
    }

    private String moveToUserFile(ConfigEntry entry) {
        boolean secret = entry.key().equals(SudoSettings.PASSWORD.name());
        return "Remove it here, or "
                + inUserFile(
                        entry.key(), secret ? ValueKind.HIDDEN : entry.written().yaml());
    }

    /// Returns the advice to put a line into the user's file: `script: {timeout: 2h}`.
    private String inUserFile(String key, String yaml) {
        String file = PrintableText.bare(folders.configFile().toString());
        long groups = key.chars().filter(letter -> letter == '.').count();
        return "put into " + file + ": " + key.replace(".", ": {") + ": " + yaml + "}".repeat((int) groups);
    }

    private void problem(Origin origin, String key, String message, String fix) {
        problems.add(new ConfigProblem(origin, Optional.of(PrintableText.bare(key)), message, fix));
    }

    private static String sentence(IllegalArgumentException e) {
        return String.valueOf(e.getMessage());
    }

    private boolean isUserFile(Path file) {
        try {
            return Files.isSameFile(file, folders.configFile());
        } catch (IOException e) {
            return false; // one of them does not exist
        }
    }

    private static Set<PosixFilePermission> permissions(Path file) {
        try {
            return Files.getPosixFilePermissions(file);
        } catch (IOException e) {
            return Set.of();
        }
    }
}
