package dev.talaria.engine;

import dev.talaria.api.ToolResult;

/// Ends a call before its tool runs: it was not admitted, or the gate did not allow it.
final class StoppedException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient ToolResult result;
    private final String decision;

    /// @param result the result of the call
    /// @param decision the word for the decision in the audit log
    StoppedException(ToolResult result, String decision) {
        super(decision, null, false, false); // without a stack trace, since nobody reads it
        this.result = result;
        this.decision = decision;
    }

    ToolResult result() {
        return result;
    }

    String decision() {
        return decision;
    }
}
