package dev.talaria.engine.config;

import static dev.talaria.engine.config.ConfigKey.InProject.REFUSED;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Says which variables of the host's environment scripts and commands see. A script sees a short list of harmless
/// names and those that the operator lets through. A command on this machine sees all but secrets, as in the
/// operator's own shell.
///
/// Each run adds the variables of its tool-call channel (`HERMES_RPC_*`) and its stub folder itself.
///
/// @param passThrough exact names that scripts get although no rule lets them through, secrets included
/// @param timezone becomes `TZ`
/// @param home becomes `HOME`
public record ChildEnvironment(List<String> passThrough, Optional<String> timezone, Optional<String> home) {

    private static final List<String> SECRETS = List.of(
            "KEY",
            "TOKEN",
            "SECRET",
            "PASSWORD",
            "CREDENTIAL",
            "PASSWD",
            "AUTH",
            "DSN",
            "WEBHOOK",
            "CREDS",
            "BEARER",
            "APIKEY");

    private static final List<String> SAFE_PREFIXES = List.of(
            "PATH",
            "HOME",
            "USER",
            "LANG",
            "LC_",
            "TERM",
            "TMPDIR",
            "TMP",
            "TEMP",
            "SHELL",
            "LOGNAME",
            "XDG_",
            "PYTHONPATH",
            "VIRTUAL_ENV",
            "CONDA");

    private static final List<String> SAFE_NAMES =
            List.of("HERMES_HOME", "HERMES_PROFILE", "HERMES_CONFIG", "HERMES_ENV", "HERMES_DELEGATED_CHILD_CONTEXT");

    /// Names that look like secrets but only hold a path.
    private static final List<String> PLACES = List.of("SSH_AUTH_SOCK", "XAUTHORITY", "GNOME_KEYRING_CONTROL");

    /// Secrets and settings of agents that cannot be recognized by a part of their name, and variables that
    /// control a shell.
    private static final Pattern NOT_FOR_COMMANDS = Pattern.compile(
            "(?:OPENAI|ANTHROPIC|OPENROUTER|HASS|EMAIL|VERCEL|GITHUB_APP|GATEWAY_RELAY|AUXILIARY|TALARIA|BASH)_.*"
                    + "|LLM_MODEL|ENV|SHELLOPTS|BASHOPTS|IFS|PROMPT_COMMAND|PWD|OLDPWD|SHLVL|_"
                    + "|.*(?:_PASS|_PWD|_PASSPHRASE)");

    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    /// Hermes' variable for sudo's password.
    static final String SUDO_PASSWORD = "SUDO_PASSWORD";

    private static final String HERMES_TIMEZONE = "HERMES_TIMEZONE";
    private static final String OUTER_RUN = "HERMES_RPC_";

    static final DeclaredKeys KEYS = new DeclaredKeys();

    static final ConfigKey<List<String>> PASS_THROUGH = KEYS.add(
            "environment.pass-through",
            ValueKind.names(),
            List.of(),
            REFUSED,
            "Variables of the host that scripts get although their names are not on the safe list.");
    static final ConfigKey<Optional<String>> TIMEZONE = KEYS.add(
            "environment.timezone",
            ValueKind.text("a time zone such as Europe/Athens"),
            Optional.empty(),
            REFUSED,
            "The time zone of scripts, instead of the machine's own.");
    static final ConfigKey<Optional<String>> HOME = KEYS.add(
            "environment.home",
            ValueKind.text("a folder"),
            Optional.empty(),
            REFUSED,
            "The HOME of scripts, instead of the user's own.");

    public ChildEnvironment {
        passThrough = List.copyOf(passThrough);
        for (String name : passThrough) {
            if (name.isBlank() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0) {
                throw new IllegalArgumentException(
                        PASS_THROUGH + " holds '" + name + "'. Use names of variables, without values.");
            }
        }
    }

    public static ChildEnvironment defaults() {
        return from(new Choices());
    }

    static ChildEnvironment from(Choices choices) {
        return new ChildEnvironment(choices.value(PASS_THROUGH), choices.value(TIMEZONE), choices.value(HOME));
    }

    /// Returns parts of names, in upper case, by which a variable counts as a secret.
    public static List<String> secrets() {
        return SECRETS;
    }

    /// Returns the same rules with further names let through.
    public ChildEnvironment plus(List<String> names) {
        List<String> all = new ArrayList<>(passThrough);
        names.stream().filter(name -> !all.contains(name)).forEach(all::add);
        return new ChildEnvironment(all, timezone, home);
    }

    public ChildEnvironment withTimezone(String newTimezone) {
        return new ChildEnvironment(passThrough, Optional.of(newTimezone), home);
    }

    public ChildEnvironment withHome(String newHome) {
        return new ChildEnvironment(passThrough, timezone, Optional.of(newHome));
    }

    /// Returns the environment of a script on a host with `hostEnvironment`.
    public Map<String, String> of(Map<String, String> hostEnvironment) {
        Map<String, String> child = passed(hostEnvironment, ChildEnvironment::safe);
        child.put("PYTHONDONTWRITEBYTECODE", "1");
        child.put("PYTHONIOENCODING", "utf-8");
        child.put("PYTHONUTF8", "1");
        return Map.copyOf(child);
    }

    /// Returns the environment of a command on a host with `hostEnvironment`: all of it except what looks like a
    /// secret.
    public Map<String, String> ofCommands(Map<String, String> hostEnvironment) {
        return Map.copyOf(passed(hostEnvironment, ChildEnvironment::forCommands));
    }

    /// Returns the host's variables that are let through by name or by a rule, with the time zone and the home.
    private Map<String, String> passed(Map<String, String> hostEnvironment, Predicate<String> rule) {
        Map<String, String> child = new TreeMap<>();
        hostEnvironment.forEach((name, value) -> {
            if (!ours(name) && (passThrough.contains(name) || rule.test(name))) {
                child.put(name, value);
            }
        });
        zone(hostEnvironment).ifPresent(zone -> child.put("TZ", zone));
        home.ifPresent(folder -> child.put("HOME", folder));
        return child;
    }

    /// Returns the variables that commands get in addition, in a sandbox that has an environment of its own.
    public Map<String, String> ofCommandsElsewhere(Map<String, String> hostEnvironment) {
        Map<String, String> added = new TreeMap<>();
        passThrough.stream()
                .filter(name -> hostEnvironment.containsKey(name) && !ours(name))
                .forEach(name -> added.put(name, hostEnvironment.getOrDefault(name, "")));
        zone(hostEnvironment).ifPresent(zone -> added.put("TZ", zone));
        return Map.copyOf(added);
    }

    private static boolean forCommands(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return VARIABLE.matcher(name).matches()
                && !NOT_FOR_COMMANDS.matcher(upper).matches()
                && (PLACES.contains(name) || SECRETS.stream().noneMatch(upper::contains));
    }

    /// Returns whether a variable is never passed on, whatever the operator lets through: settings of the
    /// host, the tool-call channel of an outer run, which serves another script, and sudo's password.
    private static boolean ours(String name) {
        return name.equals(HERMES_TIMEZONE)
                || name.startsWith(OUTER_RUN)
                || name.equals(SUDO_PASSWORD)
                || name.equals("TALARIA_" + SUDO_PASSWORD);
    }

    private Optional<String> zone(Map<String, String> hostEnvironment) {
        return timezone.or(() -> Optional.ofNullable(hostEnvironment.get(HERMES_TIMEZONE))
                .map(String::strip)
                .filter(zone -> !zone.isEmpty()));
    }

    private static boolean safe(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return SECRETS.stream().noneMatch(upper::contains)
                && (SAFE_PREFIXES.stream().anyMatch(name::startsWith) || SAFE_NAMES.contains(name));
    }
}
