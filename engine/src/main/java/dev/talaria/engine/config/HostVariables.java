package dev.talaria.engine.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads settings from environment variables: `TALARIA_*`, and those of Hermes that Talaria understands.
///
/// An empty variable counts as not set. For a list of names it means an empty list, since "all" would allow more
/// than was written.
///
/// The tables name backends, since each of Hermes' variables belongs to one of its backends.
final class HostVariables {
    private static final Pattern OPTION = Pattern.compile("TALARIA_BACKENDS_([A-Z0-9]+)_([A-Z0-9_]+)");

    /// Variables of the launcher, which are no settings of the engine.
    private static final Set<String> LAUNCHER =
            Set.of("TALARIA_HOME", "TALARIA_JAVA_HOME", "TALARIA_JAVA_OPTS", "TALARIA_JOB");

    /// Hermes' variables for keys of Talaria. Talaria's own variables win over them.
    private static final Map<String, String> HERMES = hermes();

    /// Hermes' variables for options of Docker and Podman.
    private static final Map<String, String> CONTAINER_OPTIONS = Map.ofEntries(
            Map.entry("HERMES_DOCKER_BINARY", "binary"),
            Map.entry("TERMINAL_DOCKER_IMAGE", "image"),
            Map.entry("TERMINAL_DOCKER_VOLUMES", "volumes"),
            Map.entry("TERMINAL_DOCKER_ENV", "env"),
            Map.entry("TERMINAL_DOCKER_FORWARD_ENV", "forward-env"),
            Map.entry("TERMINAL_DOCKER_EXTRA_ARGS", "extra-args"),
            Map.entry("TERMINAL_DOCKER_SHM_SIZE", "shm-size"),
            Map.entry("TERMINAL_DOCKER_NETWORK", "network"),
            Map.entry("TERMINAL_DOCKER_RUN_AS_HOST_USER", "user"),
            Map.entry("TERMINAL_DOCKER_MOUNT_CWD_TO_WORKSPACE", "mount-cwd"),
            Map.entry("TERMINAL_CONTAINER_CPU", "cpus"),
            Map.entry("TERMINAL_CONTAINER_MEMORY", "memory"),
            Map.entry("TERMINAL_CONTAINER_DISK", "disk"),
            Map.entry("TERMINAL_CONTAINER_PERSISTENT", "persistent"),
            Map.entry("TERMINAL_SANDBOX_DIR", "sandbox-dir"));

    /// Hermes' variables that Talaria does not read, by their backend; "" stands for all backends.
    private static final Map<String, List<String>> UNUSED = Map.of(
            "",
            List.of("TERMINAL_DEGRADED_MODE", "TERMINAL_TEMP_DIR", "TERMINAL_PERSISTENT_SHELL"),
            "local",
            List.of("TERMINAL_LOCAL_PERSISTENT"),
            "docker",
            List.of(
                    "TERMINAL_DOCKER_IMAGE_PINNED",
                    "TERMINAL_DOCKER_PERSIST_ACROSS_PROCESSES",
                    "TERMINAL_DOCKER_ORPHAN_REAPER",
                    "TERMINAL_DOCKER_SNAP_COMPAT"),
            "ssh",
            List.of("TERMINAL_SSH_PERSISTENT"),
            "modal",
            List.of("TERMINAL_MODAL_MODE", "TERMINAL_MODAL_IMAGE"),
            "daytona",
            List.of("TERMINAL_DAYTONA_IMAGE"),
            "vercel",
            List.of("TERMINAL_VERCEL_RUNTIME", "TERMINAL_VERCEL_IMAGE"));

    private static final List<ConfigKey<?>> TIMES =
            List.of(TerminalSettings.TIMEOUT, TerminalSettings.FOREGROUND_CEILING, SandboxSettings.IDLE);

    private final Map<String, String> environment;
    private final List<ConfigEntry> entries = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private HostVariables(Map<String, String> environment) {
        this.environment = new TreeMap<>(environment);
    }

    /// The entries of the variables, and warnings about what was not understood.
    record Content(List<ConfigEntry> entries, List<String> warnings) {
        Content {
            entries = List.copyOf(entries);
            warnings = List.copyOf(warnings);
        }
    }

    static Content read(Map<String, String> environment) {
        HostVariables reading = new HostVariables(environment);
        HERMES.forEach(reading::hermes);
        CONTAINER_OPTIONS.forEach(reading::containers);
        reading.environment.forEach(reading::ours);
        return new Content(reading.entries, reading.warnings);
    }

    /// Returns a sentence for each variable that Hermes would read for `backend` and Talaria does not.
    static List<String> unused(Map<String, String> environment, String backend) {
        List<String> names = new ArrayList<>(UNUSED.getOrDefault("", List.of()));
        names.addAll(UNUSED.getOrDefault(backend, List.of()));
        return names.stream()
                .filter(name -> !environment.getOrDefault(name, "").isBlank())
                .map(name -> "$" + name + " is not used by this version of Talaria.")
                .toList();
    }

    private void hermes(String variable, String key) {
        String whole = environment.getOrDefault(variable, "");
        String text = whole.strip();
        if (text.isEmpty()) {
            return;
        }
        if (key.equals(SudoSettings.PASSWORD.name())) {
            add(variable, key, whole);
        } else if (key.equals(Settings.BACKEND.name())) {
            add(variable, key, backendName(text));
        } else if (key.equals(OutputSettings.REDACT.name())
                && !OutputSettings.REDACT.kind().reads(text)) {
            warnings.add("$" + variable + " is neither true nor false; secrets stay masked.");
        } else if (TIMES.stream()
                .anyMatch(time ->
                        time.name().equals(key) && !time.kind().reads(text))) { // Hermes goes on with its default
            warnings.add("$" + variable + " is no number of seconds above 0, so it does not count.");
        } else {
            add(variable, key, text);
        }
    }

    /// Adds a variable as an option of all container engines, since Hermes has one backend for all of them.
    /// Hermes writes sizes in megabytes.
    private void containers(String variable, String option) {
        String text = environment.getOrDefault(variable, "").strip();
        if (text.isEmpty()) {
            return;
        }
        String value = switch (option) {
            case "memory", "disk" -> text.matches("\\d+") ? text + "m" : text;
            case "user" ->
                switch (text.toLowerCase(Locale.ROOT)) {
                    case "true", "1", "yes", "on" -> "host";
                    case "false", "0", "no", "off" -> "root";
                    default -> text;
                };
            default -> text;
        };
        add(variable, "backends.docker." + option, value);
        if (!option.equals("binary")) {
            add(variable, "backends.podman." + option, value);
        }
    }

    private void ours(String variable, String text) {
        if (!variable.startsWith("TALARIA_") || LAUNCHER.contains(variable)) {
            return;
        }
        Optional<ConfigKey<?>> key = ConfigKeys.all().stream()
                .filter(one -> one.variable().equals(variable))
                .findFirst();
        Matcher option = OPTION.matcher(variable);
        if (key.isPresent()) {
            boolean list = key.get() == Settings.TOOLS || key.get() == ChildEnvironment.PASS_THROUGH;
            if (list || !text.isBlank()) {
                add(variable, key.get().name(), text);
            }
        } else if (!option.matches()) {
            warnings.add("$" + PrintableText.bare(variable) + " sets nothing. " + suggestion(variable));
        } else if (!text.isBlank()) {
            add(variable, "backends." + kebab(option.group(1)) + "." + kebab(option.group(2)), text);
        }
    }

    private void add(String variable, String key, String text) {
        entries.add(new ConfigEntry(key, new WrittenValue.Text(text), new Origin.Variable(variable)));
    }

    private static String suggestion(String variable) {
        return KeyNames.nearest(variable.substring("TALARIA_".length()))
                .map(key -> "Did you mean " + key.variable() + "?")
                .orElse("Unset it; 'talaria config' lists all keys.");
    }

    private static String kebab(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String backendName(String hermesName) {
        return switch (hermesName) {
            case "singularity" -> "apptainer";
            case "vercel_sandbox" -> "vercel";
            default -> hermesName;
        };
    }

    private static Map<String, String> hermes() {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("TERMINAL_ENV", Settings.BACKEND.name());
        names.put("TERMINAL_CWD", Settings.CWD.name());
        names.put("TERMINAL_TIMEOUT", TerminalSettings.TIMEOUT.name());
        names.put("TERMINAL_MAX_FOREGROUND_TIMEOUT", TerminalSettings.FOREGROUND_CEILING.name());
        names.put("TERMINAL_LIFETIME_SECONDS", SandboxSettings.IDLE.name());
        names.put("TERMINAL_DOCKER_SHARED_CONTAINER_KEY", SandboxSettings.SHARED_KEY.name());
        names.put("TERMINAL_SSH_HOST", "backends.ssh.host");
        names.put("TERMINAL_SSH_USER", "backends.ssh.user");
        names.put("TERMINAL_SSH_PORT", "backends.ssh.port");
        names.put("TERMINAL_SSH_KEY", "backends.ssh.key");
        names.put("TERMINAL_SINGULARITY_IMAGE", "backends.apptainer.image");
        names.put("TERMINAL_SCRATCH_DIR", "backends.apptainer.scratch");
        names.put("TERMINAL_DISK_WARNING_GB", "backends.apptainer.disk-warning");
        names.put(ChildEnvironment.SUDO_PASSWORD, SudoSettings.PASSWORD.name());
        names.put("HERMES_TIMEZONE", ChildEnvironment.TIMEZONE.name());
        names.put("HERMES_REDACT_SECRETS", OutputSettings.REDACT.name());
        return names;
    }
}
