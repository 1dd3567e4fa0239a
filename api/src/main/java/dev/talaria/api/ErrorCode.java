package dev.talaria.api;

/// Why something could not be done: whose problem it is, and whether trying again can help.
public enum ErrorCode {
    INVALID_ARGUMENT(Kind.CALLER, false),
    UNKNOWN_TOOL(Kind.CALLER, false),
    FILE_NOT_FOUND(Kind.CALLER, false),
    FILE_REFUSED(Kind.CALLER, false),
    INVALID_CONFIGURATION(Kind.OPERATOR, false),
    BACKEND_UNAVAILABLE(Kind.OPERATOR, true),
    PYTHON_MISSING(Kind.OPERATOR, false),
    NOT_SUPPORTED(Kind.OPERATOR, false),
    SANDBOX_LOST(Kind.WORLD, true),
    TOOL_FAILED(Kind.WORLD, true),
    INTERNAL(Kind.TALARIA, false);

    /// Who can do something about an error.
    public enum Kind {
        /// The model or program that made the call.
        CALLER,
        /// The person who runs Talaria.
        OPERATOR,
        /// Nobody here: a machine, network or service failed.
        WORLD,
        /// Us: a bug.
        TALARIA
    }

    private final Kind kind;
    private final boolean retriable;

    ErrorCode(Kind kind, boolean retriable) {
        this.kind = kind;
        this.retriable = retriable;
    }

    /// Returns whose problem this is.
    public Kind kind() {
        return kind;
    }

    /// Returns whether the same call may succeed later.
    public boolean retriable() {
        return retriable;
    }
}
