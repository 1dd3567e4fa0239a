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

/// What the route adds to a result: how the call was approved, which of its arguments nobody read, and what became of
/// the sandbox.
final class ResultRemarks {
    /// The first of these comes after the approval.
    private static final Set<String> AFTER_APPROVAL = Words.set("""
            exit_code_meaning hint sudo_auth_failed sudo_cache_cleared processes_ended processes_alive
            drain_incomplete fallback isolation
            """);

    private static final Logger LOG = LoggerFactory.getLogger(ResultRemarks.class);

    private final Sandboxes sandboxes;
    private final Function<String, List<Map<String, Object>>> notices;
    private final AtomicReference<List<String>> first;

    /// @param notices takes what a session is to be told without having asked
    /// @param first what the first result tells, whatever it is
    ResultRemarks(Sandboxes sandboxes, Function<String, List<Map<String, Object>>> notices, List<String> first) {
        this.sandboxes = sandboxes;
        this.notices = notices;
        this.first = new AtomicReference<>(first);
    }

    /// Returns the result of a call with what there is to say of the call. A call that was not allowed has nothing.
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

    /// Returns what became of the sandbox. A script's call tells nothing of it: its caller hears it from the script's
    /// own result.
    private Map<String, Object> news(ToolCall call) {
        if (call.parent().isPresent()) {
            return Map.of();
        }
        try {
            return sandboxes.takeNews(call.caller().session());
        } catch (RuntimeException e) { // a backend's: no reason to lose a result
            LOG.warn(
                    "What became of the sandbox of {} cannot be told: {}",
                    call.caller().session(),
                    e.toString());
            return Map.of();
        }
    }

    /// Returns a result's value with what the session is to be told besides. A script's call does not: its caller would
    /// never hear of it.
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
}
