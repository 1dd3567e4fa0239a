package dev.talaria.engine.config;

import java.time.Duration;
import java.util.Optional;

/// How sudo gets its password.
///
/// @param password what sudo is told when it asks; absent means that a person is asked, where there is one
/// @param timeout how long a person is waited for
public record SudoSettings(Optional<String> password, Duration timeout) {

    public SudoSettings {
        Require.positive("sudo.prompt-timeout", timeout);
        if (password.filter(text -> text.isEmpty() || text.indexOf('\n') >= 0 || text.indexOf('\0') >= 0)
                .isPresent()) {
            throw new IllegalArgumentException("sudo.password is empty or more than one line.");
        }
    }

    public static SudoSettings defaults() {
        return new SudoSettings(Optional.empty(), Duration.ofSeconds(45));
    }

    public SudoSettings withPassword(String newPassword) {
        return new SudoSettings(Optional.of(newPassword), timeout);
    }

    public SudoSettings withTimeout(Duration newTimeout) {
        return new SudoSettings(password, newTimeout);
    }

    /// Says whether there is a password, not which.
    @Override
    public String toString() {
        return "SudoSettings[password=" + (password.isPresent() ? "hidden" : "none") + ", timeout=" + timeout + "]";
    }
}
