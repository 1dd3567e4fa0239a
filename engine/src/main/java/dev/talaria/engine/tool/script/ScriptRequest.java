package dev.talaria.engine.tool.script;

import dev.talaria.engine.config.ScriptSettings;
import dev.talaria.engine.json.JsonFields;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The request of a call of `execute_code`, within the operator's limits.
///
/// @param code the script
/// @param args its command line arguments, from doors that have them
/// @param timeout how long it may run
/// @param toolCalls how many tool calls it may make
record ScriptRequest(String code, List<String> args, Duration timeout, int toolCalls) {

    /// Returns what is wrong with the arguments, so that a model can correct them.
    static Optional<String> objection(Map<String, Object> arguments) {
        Object code = arguments.get("code");
        if (code == null && arguments.get("command") != null) {
            return Optional.of(
                    "execute_code takes Python in 'code', not a 'command'. Put the Python script into 'code',"
                            + " or use the tool terminal for shell commands.");
        }
        if (code != null && !(code instanceof String)) {
            return Optional.of(
                    "'code' must be a string with a Python script, not " + JsonFields.typeWithArticle(code) + ".");
        }
        if (code == null || ((String) code).isBlank()) {
            return Optional.of("No code provided. 'code' must be a non-empty Python script; for shell commands use the"
                    + " tool terminal.");
        }
        return Optional.empty();
    }

    static ScriptRequest of(Map<String, Object> arguments, ScriptSettings settings) {
        return new ScriptRequest(
                String.valueOf(arguments.get("code")),
                JsonFields.texts(arguments, "args"),
                JsonFields.seconds(arguments, "timeout")
                        .map(settings.timeout()::allowed)
                        .orElse(settings.timeout().standard()),
                count(arguments.get("max_tool_calls"))
                        .map(settings.toolCalls()::allowed)
                        .orElse(settings.toolCalls().standard()));
    }

    private static Optional<Integer> count(@Nullable Object value) {
        return value instanceof Number number && number.doubleValue() >= 0
                ? Optional.of((int) Math.min(number.doubleValue(), Integer.MAX_VALUE))
                : Optional.empty();
    }
}
