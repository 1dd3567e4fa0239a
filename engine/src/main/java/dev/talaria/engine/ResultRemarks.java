package dev.talaria.engine;

import dev.talaria.api.Tool;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.call.CallContext;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// What the route adds to a result: how the call was approved, which of its arguments nobody read, and what became of
/// the sandbox.
final class ResultRemarks {
    /// The first of these comes after the approval.
    private static final Set<String> AFTER_APPROVAL = Set.of(
            "exit_code_meaning",
            "hint",
            "sudo_auth_failed",
            "sudo_cache_cleared",
            "processes_ended",
            "processes_alive",
            "drain_incomplete",
            "fallback",
            "isolation");

    /// Names that built-in tools take besides those of their schemas: older ones, and those of our own doors.
    private static final Map<String, Set<String>> ALSO_KNOWN = Map.of(
            "terminal",
            Set.of("notify_on_complete", "watch_patterns", "check_interval", "trim", "force", "task_id", "session_id"),
            "process",
            Set.of("task_id"),
            "execute_code",
            Set.of("args", "reset", "task_id"));

    private ResultRemarks() {}

    static ToolResult on(
            ToolResult result, Tool tool, CallContext context, Optional<String> approval, Map<String, Object> news) {
        List<String> unknown = unknown(tool, context);
        if (approval.isEmpty() && unknown.isEmpty() && news.isEmpty()) {
            return result;
        }
        Map<String, Object> value = told(result.value(), news);
        approval.ifPresent(note -> approved(value, result, note));
        if (!unknown.isEmpty()) {
            value.put(
                    "ignored_arguments",
                    unknown.stream().collect(Collectors.joining("', '", "'", "'"))
                            + (unknown.size() == 1 ? " is no parameter" : " are no parameters") + " of "
                            + context.call().tool() + " and did not count. There are "
                            + String.join(", ", parameters(tool)) + ".");
        }
        return result.withValue(value);
    }

    /// What became of the sandbox comes after what became of the command.
    private static Map<String, Object> told(Map<String, Object> value, Map<String, Object> news) {
        String after = value.containsKey("cwd") ? "cwd" : "error";
        Map<String, Object> told = new LinkedHashMap<>();
        value.forEach((key, content) -> {
            told.put(key, content);
            if (key.equals(after)) {
                told.putAll(news);
            }
        });
        told.putAll(news);
        return told;
    }

    private static void approved(Map<String, Object> value, ToolResult result, String note) {
        String told = result instanceof ToolResult.Cancelled
                ? note.substring(0, note.length() - (note.endsWith(".") ? 1 : 0)) + ", then interrupted."
                : note;
        Map<String, Object> before = new LinkedHashMap<>(value);
        value.clear();
        before.forEach((key, content) -> {
            if (AFTER_APPROVAL.contains(key)) {
                value.putIfAbsent("approval", told);
            }
            value.put(key, content);
        });
        value.putIfAbsent("approval", told);
    }

    /// A mistyped `workdir` would have a command run in another folder than its caller believes.
    private static List<String> unknown(Tool tool, CallContext context) {
        if (tool instanceof HostTool || !ALSO_KNOWN.containsKey(context.call().tool())) {
            return List.of(); // a user's tool may read what its schema does not tell
        }
        Set<String> also = ALSO_KNOWN.getOrDefault(context.call().tool(), Set.of());
        Set<String> known = parameters(tool);
        return context.arguments().keySet().stream()
                .filter(name -> !known.contains(name) && !also.contains(name))
                .sorted()
                .toList();
    }

    private static Set<String> parameters(Tool tool) {
        return tool.spec().inputSchema().get("properties") instanceof Map<?, ?> properties
                ? properties.keySet().stream().map(String::valueOf).collect(Collectors.toCollection(LinkedHashSet::new))
                : Set.of();
    }
}
