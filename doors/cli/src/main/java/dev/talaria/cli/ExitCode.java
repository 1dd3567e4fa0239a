package dev.talaria.cli;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.ToolResult;
import java.util.Map;

/// The exit codes of `talaria`. They are part of its interface.
enum ExitCode {
    SUCCESS(0),
    /// The script, command or tool failed.
    FAILED(1),
    /// The command line, the configuration or the arguments are wrong.
    USAGE(2),
    /// The backend cannot be used.
    UNAVAILABLE(3),
    DENIED(4),
    TIMEOUT(124),
    INTERRUPTED(130);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    static ExitCode of(ToolResult result) {
        return switch (result) {
            case ToolResult.Completed completed -> failed(completed.value()) ? FAILED : SUCCESS;
            case ToolResult.Failed failed -> of(failed.code());
            case ToolResult.Denied _, ToolResult.AwaitingApproval _ -> DENIED;
            case ToolResult.TimedOut _ -> TIMEOUT;
            case ToolResult.Cancelled _ -> INTERRUPTED;
            case ToolResult.Backgrounded _ -> SUCCESS;
        };
    }

    static ExitCode of(ErrorCode code) {
        return switch (code) {
            case INVALID_ARGUMENT, UNKNOWN_TOOL, INVALID_CONFIGURATION -> USAGE;
            case BACKEND_UNAVAILABLE, PYTHON_MISSING, NOT_SUPPORTED, SANDBOX_LOST -> UNAVAILABLE;
            case FILE_NOT_FOUND, FILE_REFUSED, TOOL_FAILED, INTERNAL -> FAILED;
        };
    }

    private static boolean failed(Map<String, Object> value) {
        return (value.get("exit_code") instanceof Number code && code.intValue() != 0)
                || (value.get("error") instanceof String error && !error.isEmpty());
    }
}
