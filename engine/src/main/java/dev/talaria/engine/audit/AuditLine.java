package dev.talaria.engine.audit;

import dev.talaria.api.CallEvent;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.json.Json;
import dev.talaria.engine.util.Sha256;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// One line of the audit log, before it is written. It holds the hash, names and sizes of the arguments, a short
/// preview of them without secrets, and the hash of the result.
///
/// @param arguments the summary of the arguments, present if it was made early
/// @param result the hash of the result, present if it was made early
record AuditLine(
        CallEvent.Ended ended,
        UnaryOperator<String> cleaner,
        Optional<Map<String, Object>> arguments,
        Optional<String> result) {
    private static final String USER = System.getProperty("user.name", "");

    private static final int LONGEST_WORD = 128;
    private static final int MOST_ARGUMENTS = 32;
    private static final int PREVIEW = 200;

    /// How many characters of the arguments are cleaned. More than the preview shows, so that a secret at its
    /// end is recognized.
    private static final int PREVIEW_WINDOW = 8192;

    private static final int HEAVY = 8192;

    /// Returns the line for a call. The writer summarizes small calls later. Large calls are summarized at
    /// once, so that the queue does not hold their megabytes.
    static AuditLine of(CallEvent.Ended ended, UnaryOperator<String> cleaner) {
        ToolCall call = ended.call();
        boolean lightCall = weight(call.arguments().values(), HEAVY) < HEAVY;
        boolean lightResult = weight(ended.result().value().values(), HEAVY) < HEAVY;
        if (lightCall && lightResult) {
            return new AuditLine(ended, cleaner, Optional.empty(), Optional.empty());
        }
        ToolCall bare = new ToolCall(
                call.id(), call.parent(), call.caller(), call.tool(), Map.of(), call.limit(), Optional.empty());
        return new AuditLine(
                withoutValue(ended, bare),
                cleaner,
                Optional.of(summary(call.arguments(), cleaner)),
                Optional.of(hash(ended.result())));
    }

    /// Returns the line as JSON, with its line feed.
    byte[] bytes() {
        ToolCall call = ended.call();
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("time", ended.at().toString());
        line.put("call", word(call.id()));
        call.parent().ifPresent(parent -> line.put("parent", word(parent)));
        line.put("door", word(call.caller().door()));
        line.put("session", word(call.caller().session()));
        line.put("user", USER);
        line.put("tool", word(call.tool()));
        line.put("arguments", arguments.orElseGet(() -> summary(call.arguments(), cleaner)));
        ended.sandbox().ifPresent(sandbox -> line.put("sandbox", word(sandbox)));
        line.put("decision", word(ended.decision()));
        line.put("ms", millis(ended.took()));
        line.put("status", status(ended.result()));
        if (ended.result() instanceof ToolResult.Failed failed) {
            line.put("error", failed.code().name());
        }
        line.put("result", result.orElseGet(() -> hash(ended.result())));
        return Json.line(line);
    }

    /// Returns a line that says how many lines before this one are missing.
    byte[] lost(long count) {
        return ("{\"time\":\"" + ended.at() + "\",\"lost\":" + count + "}\n").getBytes(StandardCharsets.UTF_8);
    }

    private static CallEvent.Ended withoutValue(CallEvent.Ended ended, ToolCall call) {
        return new CallEvent.Ended(
                call, ended.result().withValue(Map.of()), ended.took(), ended.decision(), ended.sandbox(), ended.at());
    }

    private static String hash(ToolResult result) {
        try {
            return Sha256.of(Json.bytes(result.value()));
        } catch (RuntimeException e) {
            return "unreadable: " + e.getClass().getSimpleName();
        }
    }

    private static String status(ToolResult result) {
        return switch (result) {
            case ToolResult.Completed _ -> "completed";
            case ToolResult.Failed _ -> "failed";
            case ToolResult.Denied _ -> "denied";
            case ToolResult.AwaitingApproval _ -> "awaiting_approval";
            case ToolResult.TimedOut _ -> "timed_out";
            case ToolResult.Cancelled _ -> "cancelled";
            case ToolResult.Backgrounded _ -> "backgrounded";
        };
    }

    private static Map<String, Object> summary(Map<String, Object> arguments, UnaryOperator<String> cleaner) {
        Map<String, Object> summary = new LinkedHashMap<>();
        try {
            summary.put("sha256", Sha256.of(Json.sorted(arguments)));
            summary.put("sizes", sizes(arguments, cleaner));
            summary.put("preview", preview(arguments, cleaner));
        } catch (RuntimeException e) {
            // A Java caller may pass values that JSON cannot hold. The call must not fail because of the log.
            summary.put("unreadable", e.getClass().getSimpleName());
        }
        return summary;
    }

    private static Map<String, Object> sizes(Map<String, Object> arguments, UnaryOperator<String> cleaner) {
        Map<String, Object> sizes = new LinkedHashMap<>();
        arguments.entrySet().stream()
                .limit(MOST_ARGUMENTS)
                .forEach(argument -> sizes.put(word(cleaner.apply(argument.getKey())), size(argument.getValue())));
        return sizes;
    }

    private static int size(@Nullable Object value) {
        return switch (value) {
            case null -> 0;
            case CharSequence text -> text.length();
            case Collection<?> items -> items.size();
            case Map<?, ?> fields -> fields.size();
            default -> 1;
        };
    }

    private static String preview(Map<String, Object> arguments, UnaryOperator<String> cleaner) {
        StringBuilder window = new StringBuilder();
        arguments.entrySet().stream().limit(MOST_ARGUMENTS).forEach(argument -> {
            String text = argument.getKey() + "=" + text(argument.getValue()) + "\n";
            window.append(text, 0, Math.min(text.length(), PREVIEW_WINDOW - window.length()));
        });
        return cut(cleaner.apply(window.toString()).strip(), PREVIEW);
    }

    private static String text(@Nullable Object value) {
        return value instanceof CharSequence text
                ? text.toString()
                : new String(Json.sorted(value), StandardCharsets.UTF_8);
    }

    /// Returns about how many characters the values hold, looking no further than `enough`.
    private static int weight(Collection<?> values, int enough) {
        int weight = 0;
        for (Object value : values) {
            weight += switch (value) {
                case null -> 1;
                case CharSequence text -> Math.min(enough, text.length());
                case Number _, Boolean _ -> 8;
                default -> enough; // rare, and not worth a walk
            };
            if (weight >= enough) {
                return enough;
            }
        }
        return weight;
    }

    private static double millis(Duration took) {
        return Math.round(took.toNanos() / 1000.0) / 1000.0;
    }

    private static String word(String text) {
        return cut(text, LONGEST_WORD);
    }

    private static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end) + "…";
    }
}
