package dev.talaria.engine;

import dev.talaria.api.Gate.Decision;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Admission.Admitted;
import dev.talaria.engine.sandbox.Sandboxes;
import dev.talaria.engine.util.Words;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Adds remarks to a result: how the call was approved, which arguments the tool did not read, and what happened to
/// the sandbox.
final class ResultRemarks {
    /// The remark about the approval stands before the first of these keys.
    private static final Set<String> AFTER_APPROVAL = Words.set("""
            exit_code_meaning hint sudo_auth_failed sudo_cache_cleared processes_ended processes_alive
            drain_incomplete fallback isolation
            """);

    private static final Logger LOG = LoggerFactory.getLogger(ResultRemarks.class);

    private final Sandboxes sandboxes;
    private final Function<String, List<Map<String, Object>>> notices;
    private final AtomicReference<List<String>> first;

    /// @param notices returns a session's waiting notices, once
    /// @param first the remarks for the engine's first result
    ResultRemarks(Sandboxes sandboxes, Function<String, List<Map<String, Object>>> notices, List<String> first) {
        this.sandboxes = sandboxes;
        this.notices = notices;
        this.first = new AtomicReference<>(first);
    }

    /// Returns the result with the remarks about its call. There are none for a call that was not allowed.
    ToolResult on(ToolResult result, CallContext context) {
        return context.allowed().map(allowed -> on(result, context, allowed)).orElse(result);
    }

    private ToolResult on(ToolResult result, CallContext context, Decision.Allowed allowed) {
        Map<String, Object> news = news(context.call());
        Optional<String> ignored = context.admitted().flatMap(Admitted::ignored);
        if (allowed.note().isEmpty() && ignored.isEmpty() && news.isEmpty()) {
            return result;
        }
        Map<String, Object> value = told(result.value(), news);
        allowed.note().ifPresent(note -> approved(value, result, note));
        ignored.ifPresent(sentence -> value.put("ignored_arguments", sentence));
        return result.withValue(value);
    }

    /// Returns what happened to the sandbox. The results of a script's own calls do not tell it; the script's
    /// result does.
    private Map<String, Object> news(ToolCall call) {
        if (call.parent().isPresent()) {
            return Map.of();
        }
        try {
            return sandboxes.takeNews(call.caller().session());
        } catch (RuntimeException e) { // a backend failed; the result is still good
            LOG.warn(
                    "What became of the sandbox of {} cannot be told: {}",
                    call.caller().session(),
                    e.toString());
            return Map.of();
        }
    }

    /// Returns a result's value with the session's waiting notices. The results of a script's own calls carry
    /// none, since the model does not see them.
    Map<String, Object> withNotices(ToolCall call, Map<String, Object> value) {
        if (call.parent().isPresent()) {
            return value;
        }
        List<Map<String, Object>> told = notices.apply(call.caller().session());
        List<String> configuration = first.getAndSet(List.of());
        if (told.isEmpty() && configuration.isEmpty()) {
            return value;
        }
        Map<String, Object> more = new LinkedHashMap<>(value);
        if (!configuration.isEmpty()) {
            more.put("configuration", configuration);
        }
        if (!told.isEmpty()) {
            more.put("notices", told);
        }
        return more;
    }

    /// Returns the value with news of the sandbox, after the fields about the command.
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
}
