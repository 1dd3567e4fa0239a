package dev.talaria.api;

/// Why a call failed. Each code knows who can solve the problem, and whether the same call may succeed later.
///
/// ```java
/// if (engine.call(call) instanceof ToolResult.Failed failed && failed.code().retriable()) {
///     engine.call(call);
/// }
/// ```
public enum ErrorCode {
    /// An argument is missing, has the wrong type or a value that the tool refuses.
    INVALID_ARGUMENT(Kind.CALLER, false),
    /// There is no tool with this name.
    UNKNOWN_TOOL(Kind.CALLER, false),
    /// A file that the call names does not exist.
    FILE_NOT_FOUND(Kind.CALLER, false),
    /// A file cannot or must not be read or written.
    FILE_REFUSED(Kind.CALLER, false),
    /// A setting is wrong, or settings contradict each other.
    INVALID_CONFIGURATION(Kind.OPERATOR, false),
    /// The backend does not exist or cannot open a sandbox now.
    BACKEND_UNAVAILABLE(Kind.OPERATOR, true),
    /// The sandbox has no Python that can run scripts.
    PYTHON_MISSING(Kind.OPERATOR, false),
    /// The sandbox cannot do what the call needs.
    NOT_SUPPORTED(Kind.OPERATOR, false),
    /// The sandbox ended, or the connection to it broke, while the call ran.
    SANDBOX_LOST(Kind.WORLD, true),
    /// The tool failed while it did its work.
    TOOL_FAILED(Kind.WORLD, true),
    /// Talaria itself has a bug.
    INTERNAL(Kind.TALARIA, false);

    /// Who can solve a problem.
    public enum Kind {
        /// The model or program that made the call.
        CALLER,
        /// The person who runs Talaria.
        OPERATOR,
        /// Nobody here: a machine, network or service failed.
        WORLD,
        /// The developers of Talaria: it is a bug.
        TALARIA
    }

    private final Kind kind;
    private final boolean retriable;

    ErrorCode(Kind kind, boolean retriable) {
        this.kind = kind;
        this.retriable = retriable;
    }

    /// Returns who can solve the problem.
    public Kind kind() {
        return kind;
    }

    /// Returns whether the same call may succeed later.
    public boolean retriable() {
        return retriable;
    }
}
