package dev.talaria.engine.config;

import static dev.talaria.engine.config.ConfigKey.InProject.NARROW;
import static dev.talaria.engine.config.ConfigKey.InProject.REFUSED;

import java.time.Duration;
import java.util.Map;

/// How commands run.
///
/// @param timeout how long a call waits for a command: the default, and the maximum
/// @param promote whether a command that may take longer, or that asks to go on after its time, goes on in the
///     background
/// @param notices what sessions are told of their background processes
public record TerminalSettings(Limit<Duration> timeout, boolean promote, NoticeSettings notices) {

    static final DeclaredKeys KEYS = new DeclaredKeys();

    static final ConfigKey<Duration> TIMEOUT = KEYS.add(
            "terminal.timeout",
            ValueKind.limitedDuration(),
            Duration.ofMinutes(3),
            NARROW,
            "How long a command may run if its call does not say, and how long a process is waited for at most.");
    static final ConfigKey<Duration> FOREGROUND_CEILING = KEYS.add(
            "terminal.foreground-ceiling",
            ValueKind.limitedDuration(),
            Duration.ofMinutes(10),
            NARROW,
            "The longest time that a command is waited for.");
    static final ConfigKey<Boolean> PROMOTE = KEYS.add(
            "terminal.promote",
            ValueKind.flag(),
            true,
            REFUSED,
            "Whether a command that asks for more than that is started in the background; else it is ended at the"
                    + " ceiling.");

    public TerminalSettings {
        Require.positive(TIMEOUT, timeout.standard());
    }

    public static TerminalSettings defaults() {
        return from(new Choices());
    }

    static TerminalSettings from(Choices choices) {
        return new TerminalSettings(
                new Limit<>(choices.value(TIMEOUT), choices.value(FOREGROUND_CEILING)),
                choices.value(PROMOTE),
                NoticeSettings.from(choices));
    }

    /// Returns the times for descriptions of tools, by their names in the descriptions.
    public Map<String, String> told() {
        return Map.of("timeout", told(timeout.standard()), "ceiling", told(timeout.ceiling()));
    }

    private static String told(Duration time) {
        return time.equals(Units.FOREVER) ? "unlimited" : String.valueOf(time.toSeconds());
    }

    public TerminalSettings withTimeout(Limit<Duration> newTimeout) {
        return new TerminalSettings(newTimeout, promote, notices);
    }

    public TerminalSettings withPromote(boolean newPromote) {
        return new TerminalSettings(timeout, newPromote, notices);
    }

    public TerminalSettings withNotices(NoticeSettings newNotices) {
        return new TerminalSettings(timeout, promote, newNotices);
    }
}
