package dev.talaria.engine;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.Tool;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import java.util.Map;
import java.util.Optional;

/// Finds the tool and checks the arguments.
public final class Admission {
    private final Map<String, Tool> tools;

    public Admission(Map<String, Tool> tools) {
        this.tools = tools;
    }

    /// What came of it: a tool to call, or the failure to report.
    public sealed interface Admitted {
        record Yes(Tool tool) implements Admitted {}

        record No(ToolResult.Failed failure) implements Admitted {}
    }

    public Admitted admit(ToolCall call) {
        Tool tool = tools.get(call.tool());
        if (tool == null) {
            String message =
                    "There is no tool '" + call.tool() + "' here. There are " + String.join(", ", tools.keySet()) + ".";
            return no(ErrorCode.UNKNOWN_TOOL, message, Map.of("error", message));
        }
        Optional<String> objection = tool.objection(call.arguments())
                .or(() -> SchemaCheck.problem(tool.spec().inputSchema(), call.arguments())
                        .map(problem -> "Invalid arguments for " + call.tool() + ": " + problem + "."));
        return objection
                .map(message -> no(ErrorCode.INVALID_ARGUMENT, message, tool.objected(message)))
                .orElseGet(() -> new Admitted.Yes(tool));
    }

    private static Admitted no(ErrorCode code, String message, Map<String, Object> value) {
        return new Admitted.No(new ToolResult.Failed(code, message, value));
    }
}
