package dev.talaria.cli;

import java.util.Optional;

/// A mistake in the command line. The message names the next step. The exit code of `talaria` is 2.
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Optional<String> help;

    UsageException(String message) {
        super(message);
        this.help = Optional.empty();
    }

    /// @param help the command that explains more
    UsageException(String message, String help) {
        super(message);
        this.help = Optional.of(help);
    }

    Optional<String> help() {
        return help;
    }
}
