package dev.talaria.api;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// What came of a call. Every case carries {@link #value()}: the JSON object that the model (or script) reads.
///
/// ```java
/// switch (engine.call(call)) {
///     case ToolResult.Completed done -> System.out.println(done.value().get("output"));
///     case ToolResult.Denied denied -> System.out.println("not allowed: " + denied.reason());
///     case ToolResult other -> System.out.println(other.value().get("error"));
/// }
/// ```
public sealed interface ToolResult {

    /// Returns the JSON object shown to the caller, in key order.
    Map<String, Object> value();

    /// Returns the same case with another value.
    default ToolResult withValue(Map<String, Object> value) {
        return switch (this) {
            case Completed _ -> new Completed(value);
            case Failed failed -> new Failed(failed.code, failed.message, value);
            case Denied denied -> new Denied(denied.reason, value);
            case AwaitingApproval waiting -> new AwaitingApproval(waiting.approval, value);
            case TimedOut late -> new TimedOut(late.limit, value);
            case Cancelled cancelled -> new Cancelled(cancelled.reason, value);
            case Backgrounded going -> new Backgrounded(going.process, value);
        };
    }

    /// The tool did its work. A command or script that exited with any code is completed, too.
    record Completed(Map<String, Object> value) implements ToolResult {
        public Completed {
            value = copy(value);
        }
    }

    /// The call could not be done; `code` says whose problem it is.
    record Failed(ErrorCode code, String message, Map<String, Object> value) implements ToolResult {
        public Failed {
            value = copy(value);
        }
    }

    /// A rule or a person said no.
    record Denied(String reason, Map<String, Object> value) implements ToolResult {
        public Denied {
            value = copy(value);
        }
    }

    /// Somebody has to say yes first; `approval` names the question.
    record AwaitingApproval(String approval, Map<String, Object> value) implements ToolResult {
        public AwaitingApproval {
            value = copy(value);
        }
    }

    /// The time limit passed; the value holds what there was until then.
    record TimedOut(Duration limit, Map<String, Object> value) implements ToolResult {
        public TimedOut {
            value = copy(value);
        }
    }

    /// The caller took the call back; the value holds what there was until then.
    record Cancelled(String reason, Map<String, Object> value) implements ToolResult {
        public Cancelled {
            value = copy(value);
        }
    }

    /// The work goes on in the background under the id `process`.
    record Backgrounded(String process, Map<String, Object> value) implements ToolResult {
        public Backgrounded {
            value = copy(value);
        }
    }

    /// Returns a completed result with one key.
    static ToolResult completed(String key, Object content) {
        return new Completed(Map.of(key, content));
    }

    /// Returns a failure whose value is `{"error": message}`.
    static ToolResult failed(ErrorCode code, String message) {
        return new Failed(code, message, Map.of("error", message));
    }

    private static Map<String, Object> copy(Map<String, Object> value) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(value));
    }
}
