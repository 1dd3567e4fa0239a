package dev.talaria.engine.config;

import static dev.talaria.engine.config.ConfigKey.InProject.REFUSED;

import java.time.Duration;
import java.util.Optional;

/// How sudo gets its password.
///
/// @param password the password for sudo; absent means that a person is asked, if there is one
/// @param timeout how long a call waits for the person
public record SudoSettings(Optional<String> password, Duration timeout) {

    static final DeclaredKeys KEYS = new DeclaredKeys();

    static final ConfigKey<Optional<String>> PASSWORD = KEYS.add(
            "sudo.password",
            ValueKind.secret("a password, on one line"),
            Optional.empty(),
            REFUSED,
            "What sudo is told when a command that names it needs a password; without it the person at the terminal is"
                    + " asked. Keep the file to yourself (chmod 600).");
    static final ConfigKey<Duration> TIMEOUT = KEYS.add(
            "sudo.prompt-timeout",
            ValueKind.duration(),
            Duration.ofSeconds(45),
            REFUSED,
            "How long a person is waited for who is asked for sudo's password.");

    public SudoSettings {
        Require.positive(TIMEOUT, timeout);
        if (password.filter(text -> text.isEmpty() || text.indexOf('\n') >= 0 || text.indexOf('\0') >= 0)
                .isPresent()) {
            throw new IllegalArgumentException(PASSWORD + " is empty or more than one line.");
        }
    }

    static SudoSettings from(Choices choices) {
        return new SudoSettings(choices.value(PASSWORD), choices.value(TIMEOUT));
    }

    public SudoSettings withPassword(String newPassword) {
        return new SudoSettings(Optional.of(newPassword), timeout);
    }

    public SudoSettings withTimeout(Duration newTimeout) {
        return new SudoSettings(password, newTimeout);
    }

    /// Returns the settings without the password itself.
    @Override
    public String toString() {
        return "SudoSettings[password=" + (password.isPresent() ? "hidden" : "none") + ", timeout=" + timeout + "]";
    }
}
