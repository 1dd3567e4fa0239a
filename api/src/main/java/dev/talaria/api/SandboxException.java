package dev.talaria.api;

import org.jspecify.annotations.Nullable;

/// A sandbox or its backend failed: a backend is down, a sandbox has died, an interpreter is missing. The message
/// says what to do next.
///
/// ```java
/// SandboxException down = new SandboxException(
///         ErrorCode.BACKEND_UNAVAILABLE, "Docker does not answer. Start it with 'systemctl start docker'.");
/// ```
public final class SandboxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final boolean passing;

    /// Makes an exception for a problem that does not pass by itself.
    public SandboxException(ErrorCode code, String message) {
        this(code, message, null);
    }

    /// Makes an exception for a problem that does not pass by itself, with its cause.
    public SandboxException(ErrorCode code, String message, @Nullable Throwable cause) {
        this(code, message, cause, false);
    }

    private SandboxException(ErrorCode code, String message, @Nullable Throwable cause, boolean passing) {
        super(message, cause);
        this.code = code;
        this.passing = passing;
    }

    /// Makes an exception for a problem that may pass by itself within seconds. Nothing was done, so the
    /// caller can try the same again.
    public static SandboxException passing(ErrorCode code, String message, @Nullable Throwable cause) {
        return new SandboxException(code, message, cause, true);
    }

    /// Returns whether the problem may pass by itself. If so, nothing was done, and the caller can try the same
    /// again.
    public boolean passing() {
        return passing;
    }

    /// Returns the code that results show.
    public ErrorCode code() {
        return code;
    }
}
