package dev.talaria.api;

import org.jspecify.annotations.Nullable;

/// The world refused: a backend is down, a sandbox died, an interpreter is missing. The message tells the next step.
public final class SandboxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    public SandboxException(ErrorCode code, String message) {
        this(code, message, null);
    }

    public SandboxException(ErrorCode code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public ErrorCode code() {
        return code;
    }
}
