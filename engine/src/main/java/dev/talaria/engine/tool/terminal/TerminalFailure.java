package dev.talaria.engine.tool.terminal;

import dev.talaria.api.ErrorCode;
import java.util.LinkedHashMap;
import java.util.Map;

/// The result of a command that its sandbox did not run.
final class TerminalFailure {
    private static final int NOT_RUN = -1;

    private TerminalFailure() {}

    static Map<String, Object> value(ErrorCode code, String message) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("output", "");
        value.put("exit_code", NOT_RUN);
        value.put("error", message);
        switch (code) {
            case BACKEND_UNAVAILABLE -> {
                value.put("status", "degraded");
                value.put("reason", "The sandbox cannot be reached.");
                value.put(
                        "retry_hint",
                        "The command was not run. Try again later: the next command opens the sandbox anew.");
            }
            case INVALID_CONFIGURATION, PYTHON_MISSING, NOT_SUPPORTED -> value.put("status", "disabled");
            case INVALID_ARGUMENT, UNKNOWN_TOOL, FILE_NOT_FOUND, FILE_REFUSED, SANDBOX_LOST, TOOL_FAILED, INTERNAL ->
                value.put("status", "error");
        }
        return value;
    }
}
