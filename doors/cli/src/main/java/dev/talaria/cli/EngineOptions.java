package dev.talaria.cli;

import dev.talaria.api.Backend;
import dev.talaria.api.Backends;
import dev.talaria.engine.Engine;
import dev.talaria.engine.EngineBuilder;
import dev.talaria.engine.config.ConfigLoader;
import dev.talaria.engine.config.ConfigProblem;
import dev.talaria.engine.config.LoadedConfig;
import dev.talaria.engine.config.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The options for the settings of an engine, the same for every command. They override all files.
final class EngineOptions {
    /// Options that are keys of `talaria.yaml` under another name.
    private static final Map<String, String> KEYS = Map.of(
            "--backend", "backend",
            "--transport", "transport",
            "--mode", "script.mode",
            "--python", "script.python",
            "--timeout", "script.timeout",
            "--max-tool-calls", "script.tool-calls",
            "--approvals", "approvals.mode");

    static final List<Option> ALL = List.of(
            Option.of(
                    "--backend", "NAME", "The backend for scripts and commands: local (the default), bubblewrap, ..."),
            Option.of(
                    "--isolation",
                    "PROFILE",
                    "What scripts and commands can reach: workspace (they can write only to the working folder), closed"
                            + " (to nothing, without network) or none. Short for --backend bubblewrap or local."),
            Option.repeated("--backend-option", "KEY=VALUE", "A setting of the backend."),
            Option.of("--tools", "A,B", "The tools that scripts may call; '' means none."),
            Option.of("--mode", "MODE", "The folder and the Python of scripts: project or strict."),
            Option.of("--timeout", "SECONDS", "The timeout of a script, or of a command with call; 5m works, too."),
            Option.of("--max-tool-calls", "N", "The number of tool calls that a script may make."),
            Option.of("--cwd", "FOLDER", "The working folder of scripts and commands."),
            Option.repeated("--env", "NAME", "A variable that scripts can see."),
            Option.of("--python", "PATH", "The Python that runs scripts."),
            Option.of(
                    "--approvals",
                    "MODE",
                    "Who decides about dangerous commands: manual (you are asked), ask (about scripts, too), allow or"
                            + " deny."),
            Option.of("--transport", "T", "How tool calls travel: auto, uds, stream or file."));

    /// The options for commands in a shell.
    static final List<Option> FOR_COMMANDS = Stream.concat(
                    only("--backend", "--isolation", "--backend-option", "--cwd", "--env", "--approvals"),
                    Stream.of(Option.of(
                            "--timeout",
                            "SECONDS",
                            "The timeout of a command; 5m works, too. By default there is none.")))
            .toList();

    /// The options that choose the sandbox of a copy.
    static final List<Option> FOR_COPIES =
            only("--backend", "--isolation", "--backend-option", "--cwd").toList();

    private EngineOptions() {}

    private static Stream<Option> only(String... names) {
        return ALL.stream().filter(option -> List.of(names).contains(option.name()));
    }

    /// Returns the configuration with these options, including its problems.
    static LoadedConfig load(Arguments given, Console console) {
        return load(given, Map.of(), console);
    }

    private static LoadedConfig load(Arguments given, Map<String, String> more, Console console) {
        Map<String, String> overrides = overrides(given);
        overrides.putAll(more);
        Map<String, String> environment = new LinkedHashMap<>(console.environment());
        environment.remove(Console.DEBUG); // ours, and not a setting
        Path project = project(given);
        LoadedConfig loaded = ConfigLoader.load(environment, project, overrides);
        List<String> options = given.values("--backend-option");
        if (options.isEmpty()) {
            return loaded;
        }
        for (String option : options) {
            int equals = option.indexOf('=');
            if (equals < 1) {
                throw new UsageException("--backend-option " + option + ": write it as KEY=VALUE.");
            }
            String key = "backends." + loaded.settings().backend() + "." + option.substring(0, equals);
            overrides.put(key, option.substring(equals + 1));
        }
        return ConfigLoader.load(environment, project, overrides);
    }

    /// Returns a valid configuration.
    ///
    /// @throws UsageException that names all problems, if there are any
    private static LoadedConfig usable(Arguments given, Map<String, String> more, Console console) {
        LoadedConfig loaded = load(given, more, console);
        if (!loaded.ofUser().isEmpty()) {
            throw new UsageException(loaded.problems().stream()
                    .map(ConfigProblem::text)
                    .collect(Collectors.joining("\n", "the configuration cannot be used:\n", "")));
        }
        loaded.ofProject().forEach(problem -> console.say("warning: " + problem.text()));
        loaded.warnings().forEach(warning -> console.say("warning: " + warning));
        Settings settings = loaded.settings();
        settings.cwd().filter(_ -> local(settings)).ifPresent(EngineOptions::mustExist);
        Settings passing = passThrough(settings, given.values("--env"), console);
        return new LoadedConfig(passing, loaded.values(), loaded.problems(), loaded.warnings());
    }

    /// Returns an engine with these options.
    static Engine open(Arguments given, Console console) {
        return open(given, Map.of(), console);
    }

    /// Returns an engine with these options and further keys of `talaria.yaml`.
    static Engine open(Arguments given, Map<String, String> more, Console console) {
        return builder(usable(given, more, console), console).build();
    }

    /// Returns an engine whose interpreter is being started. In a sandbox elsewhere it is not: that could double
    /// the wait for a machine that does not answer.
    static Engine openWarm(Arguments given, Console console) {
        LoadedConfig loaded = usable(given, Map.of(), console);
        EngineBuilder builder = builder(loaded, console);
        return (local(loaded.settings()) ? builder.warm(RunCommand.CALLER.session()) : builder).build();
    }

    private static EngineBuilder builder(LoadedConfig loaded, Console console) {
        return Engine.builder()
                .settings(loaded.settings())
                .tellFirst(loaded.ofProject().stream().map(ConfigProblem::text).toList())
                .environment(console.environment())
                .answeredLater()
                .notDumpable();
    }

    private static boolean local(Settings settings) {
        return Backends.find(settings.backend())
                .filter(Backend::worksInHostFolders)
                .isPresent();
    }

    private static Map<String, String> overrides(Arguments given) {
        Map<String, String> overrides = new LinkedHashMap<>();
        KEYS.forEach((option, key) -> {
            if (given.has(option)) {
                overrides.put(key, given.value(option).orElse(""));
            }
        });
        if (given.has("--cwd")) {
            Path folder =
                    Path.of("").toAbsolutePath().resolve(given.value("--cwd").orElse(""));
            overrides.put("cwd", folder.normalize().toString());
        }
        if (given.has("--tools")) {
            overrides.put("tools", tools(given.value("--tools").orElse("")));
        }
        choice(given, "--transport", List.of("auto", "uds", "stream", "file"));
        if (given.has("--isolation")) {
            isolation(given, overrides);
        }
        return overrides;
    }

    private static void isolation(Arguments given, Map<String, String> overrides) {
        choice(given, "--isolation", List.of("workspace", "closed", "none"));
        String profile = given.value("--isolation").orElse("").toLowerCase(Locale.ROOT);
        String backend = profile.equals("none") ? "local" : "bubblewrap";
        if (given.has("--backend") && !given.value("--backend").orElse("").equals(backend)) {
            throw new UsageException("--isolation " + profile + " means --backend " + backend
                    + ", and you have chosen another one. Leave one of the two out.");
        }
        overrides.put("backend", backend);
        if (backend.equals("bubblewrap")) {
            overrides.put("backends.bubblewrap.profile", profile);
        }
    }

    /// Adds `execute_code` to the tools: the command line always runs a script.
    private static String tools(String written) {
        List<String> names = Arrays.stream(written.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
        List<String> known = Engine.builtInTools();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new UsageException("--tools: there is no tool '" + name + "'." + Suggestion.among(name, known));
            }
        }
        return Stream.concat(Stream.of(Engine.EXECUTE_CODE), names.stream())
                .distinct()
                .collect(Collectors.joining(","));
    }

    private static void choice(Arguments given, String option, List<String> allowed) {
        String value = given.value(option).orElse(allowed.getFirst()).toLowerCase(Locale.ROOT);
        if (!allowed.contains(value)) {
            throw new UsageException(option + " " + value + ": choose one of " + String.join(", ", allowed) + "."
                    + Suggestion.of(value, allowed));
        }
    }

    private static Path project(Arguments given) {
        Path here = Path.of("").toAbsolutePath();
        Path wanted = here.resolve(given.value("--cwd").orElse(""));
        return Files.isDirectory(wanted) ? wanted : here;
    }

    private static void mustExist(String cwd) {
        if (!cwd.startsWith("~") && !Files.isDirectory(Path.of(cwd))) {
            throw new UsageException(
                    "there is no folder " + cwd + " to work in. Create it, or choose another with --cwd.");
        }
    }

    private static Settings passThrough(Settings settings, List<String> names, Console console) {
        for (String name : names) {
            if (name.isBlank() || name.contains("=")) {
                throw new UsageException("--env " + name + ": write the name alone, and set the variable in front of"
                        + " the command: NAME=VALUE talaria run --env NAME ...");
            }
            if (!console.environment().containsKey(name)) {
                console.say("warning: --env " + name + ": this variable is not set here.");
            }
        }
        return names.isEmpty()
                ? settings
                : settings.withEnvironment(settings.environment().plus(names));
    }
}
