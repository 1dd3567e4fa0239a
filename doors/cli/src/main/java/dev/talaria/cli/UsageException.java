package dev.talaria.cli;

/// What was asked for cannot be understood; the message tells the next step. Ends `talaria` with 2.
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
