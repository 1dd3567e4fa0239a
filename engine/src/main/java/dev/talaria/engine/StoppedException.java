package dev.talaria.engine;

import dev.talaria.api.ToolResult;

/// A call ends before its tool runs: it was not admitted, or the gate did not let it through.
final class StoppedException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient ToolResult result;
    private final String decision;

    /// @param decision the word of the audit log for it
    StoppedException(ToolResult result, String decision) {
        super(decision, null, false, false); // it is no error: nobody looks at its stack
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
