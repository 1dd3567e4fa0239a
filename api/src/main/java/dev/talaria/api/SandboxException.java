package dev.talaria.api;

import org.jspecify.annotations.Nullable;

/// The world refused: a backend is down, a sandbox died, an interpreter is missing. The message tells the next step.
public final class SandboxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final boolean passing;

    /// Makes a problem that trying again does not solve.
    public SandboxException(ErrorCode code, String message) {
        this(code, message, null);
    }

    /// Makes a problem that trying again does not solve, with its cause.
    public SandboxException(ErrorCode code, String message, @Nullable Throwable cause) {
        this(code, message, cause, false);
    }

    private SandboxException(ErrorCode code, String message, @Nullable Throwable cause, boolean passing) {
        super(message, cause);
        this.code = code;
        this.passing = passing;
    }

    /// Returns a problem that may pass by itself within seconds: nothing was done, so the same can be tried again.
    public static SandboxException passing(ErrorCode code, String message, @Nullable Throwable cause) {
        return new SandboxException(code, message, cause, true);
    }

    /// Returns whether it may pass by itself, and nothing was done that must not be done twice.
    public boolean passing() {
        return passing;
    }

    /// Returns the code that results show.
    public ErrorCode code() {
        return code;
    }
}
