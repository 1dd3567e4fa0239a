package dev.talaria.engine;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.Masking;
import dev.talaria.api.Tool;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.api.ToolSpec;
import dev.talaria.engine.json.JsonFields;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The step admit of the route: finds the tool and checks the arguments.
final class Admission {
    private final Map<String, Tool> tools;

    Admission(Map<String, Tool> tools) {
        this.tools = tools;
    }

    /// A call whose tool exists and whose arguments fit.
    ///
    /// @param masking how the tool wants its output masked
    /// @param ignored the arguments that the tool does not read, as a sentence for the caller
    record Admitted(Tool tool, Masking masking, Optional<String> ignored) {}

    /// Returns the tool of a call whose arguments fit.
    ///
    /// @throws StoppedException with the failure to report
    Admitted admit(ToolCall call) throws StoppedException {
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
        return new Admitted(tool, tool.masking(), ignored(tool, call));
    }

    private static StoppedException stopped(ErrorCode code, String message, Map<String, Object> value) {
        return new StoppedException(new ToolResult.Failed(code, message, value), "not admitted");
    }

    /// Returns a sentence about arguments that the tool does not read. With a mistyped `workdir`, a command
    /// would run in another folder than its caller believes.
    private static Optional<String> ignored(Tool tool, ToolCall call) {
        Optional<Set<String>> further = tool.furtherParameters();
        if (further.isEmpty()) {
            return Optional.empty();
        }
        Set<String> known = parameters(tool.spec());
        List<String> unknown = call.arguments().keySet().stream()
                .filter(name -> !known.contains(name) && !further.get().contains(name))
                .sorted()
                .toList();
        return unknown.isEmpty()
                ? Optional.empty()
                : Optional.of("'" + String.join("', '", unknown) + "'"
                        + (unknown.size() == 1 ? " is no parameter" : " are no parameters") + " of " + call.tool()
                        + " and did not count. There are " + String.join(", ", known) + ".");
    }

    private static Set<String> parameters(ToolSpec spec) {
        return JsonFields.object(spec.inputSchema(), "properties").keySet().stream()
                .map(String::valueOf)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
