package dev.talaria.cli;

import java.util.Optional;

/// What was asked for cannot be understood; the message tells the next step. Ends `talaria` with 2.
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Optional<String> help;

    UsageException(String message) {
        super(message);
        this.help = Optional.empty();
    }

    /// @param help the command that tells more
    UsageException(String message, String help) {
        super(message);
        this.help = Optional.of(help);
    }

    Optional<String> help() {
        return help;
    }
}
