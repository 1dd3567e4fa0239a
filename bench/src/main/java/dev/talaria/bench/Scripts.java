package dev.talaria.bench;

import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import java.util.Map;

/// Runs scripts through an engine, and throws if one did not do what it should: a fast failure is no
/// result.
final class Scripts {
    static final String HELLO = "print(\"hi\")";

    private Scripts() {}

    /// Runs a script and returns its output.
    static String run(Engine engine, String code) {
        return run(engine, Map.of("code", code));
    }

    static String run(Engine engine, Map<String, Object> arguments) {
        Map<String, Object> value = result(engine, arguments).value();
        if (!"success".equals(value.get("status"))) {
            throw new IllegalStateException("A script failed: " + value);
        }
        return String.valueOf(value.get("output"));
    }

    static ToolResult result(Engine engine, Map<String, Object> arguments) {
        return engine.call(ToolCall.of("execute_code", arguments));
    }

    static void hello(Engine engine) {
        String said = run(engine, HELLO);
        if (!said.equals("hi\n") && !said.equals("hi")) {
            throw new IllegalStateException("The script printed something else: " + said);
        }
    }
}
