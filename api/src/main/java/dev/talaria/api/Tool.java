package dev.talaria.api;

import java.util.Map;
import java.util.Optional;

/// Something a model or a script may call.
public interface Tool {

    ToolSpec spec();

    /// Returns what scripts are told about this tool; empty if it is not for them.
    default Optional<ToolSpec> forScripts() {
        return Optional.of(spec());
    }

    /// Returns what is wrong with the arguments in the tool's own words, before the schema is asked.
    default Optional<String> objection(Map<String, Object> arguments) {
        return Optional.empty();
    }

    /// Returns the value of a result that says no more than what is wrong with the arguments.
    default Map<String, Object> objected(String message) {
        return Map.of("error", message);
    }

    /// Returns the value of a result that says why the sandbox did not do the work.
    default Map<String, Object> failed(ErrorCode code, String message) {
        return Map.of("error", message);
    }

    /// Returns the value of a result that says why the work may not be done.
    ///
    /// @param value what it is for a command
    default Map<String, Object> refused(Map<String, Object> value) {
        return value;
    }

    /// Does the work and returns what came of it. An exception is reported to the caller as a failure of the tool.
    ToolResult call(ToolContext context) throws Exception;
}
