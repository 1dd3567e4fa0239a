package dev.talaria.engine;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.Tool;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.api.ToolSpec;
import java.util.Map;
import java.util.Optional;

/// Finds the tool and checks the arguments.
final class Admission {
    private final Map<String, Tool> tools;

    Admission(Map<String, Tool> tools) {
        this.tools = tools;
    }

    /// Returns the tool of a call whose arguments fit.
    ///
    /// @throws StoppedException with the failure to report
    Tool admit(ToolCall call) throws StoppedException {
        Tool tool = tools.get(call.tool());
        if (tool == null) {
            String message =
                    "There is no tool '" + call.tool() + "' here. There are " + String.join(", ", tools.keySet()) + ".";
            throw stopped(ErrorCode.UNKNOWN_TOOL, message, Map.of("error", message));
        }
        ToolSpec spec = tool.spec();
        Optional<String> objection = tool.objection(call.arguments())
                .or(() -> SchemaCheck.problem(spec.inputSchema(), call.arguments())
                        .map(problem -> "Invalid arguments for " + call.tool() + ": " + problem + "."));
        if (objection.isPresent()) {
            throw stopped(ErrorCode.INVALID_ARGUMENT, objection.get(), tool.objected(objection.get()));
        }
        return tool;
    }

    private static StoppedException stopped(ErrorCode code, String message, Map<String, Object> value) {
        return new StoppedException(new ToolResult.Failed(code, message, value), "not admitted");
    }
}
