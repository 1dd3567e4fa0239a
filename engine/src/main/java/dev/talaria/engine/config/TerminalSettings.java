package dev.talaria.engine.config;

import java.time.Duration;

/// How commands run.
///
/// @param timeout how long a command is waited for: if its call does not say, and at most
/// @param promote whether a command that may take longer, or that asks to go on when its time is over, does so in the
///     background
public record TerminalSettings(Limit<Duration> timeout, boolean promote) {

    public TerminalSettings {
        Require.positive("terminal.timeout", timeout.standard());
    }

    public static TerminalSettings defaults() {
        return new TerminalSettings(new Limit<>(Duration.ofMinutes(3), Duration.ofMinutes(10)), true);
    }

    /// Returns how many seconds a time has, in the words of the settings.
    public static String told(Duration time) {
        return time.equals(Units.FOREVER) ? "unlimited" : String.valueOf(time.toSeconds());
    }

    public TerminalSettings withTimeout(Limit<Duration> newTimeout) {
        return new TerminalSettings(newTimeout, promote);
    }

    public TerminalSettings withPromote(boolean newPromote) {
        return new TerminalSettings(timeout, newPromote);
    }
}
