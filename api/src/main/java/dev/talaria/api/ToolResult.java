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
    ToolResult withValue(Map<String, Object> value);

    /// The tool did its work. A command or script that exited with any code is completed, too.
    record Completed(Map<String, Object> value) implements ToolResult {
        public Completed {
            value = copy(value);
        }

        @Override
        public Completed withValue(Map<String, Object> newValue) {
            return new Completed(newValue);
        }
    }

    /// The call could not be done; `code` says whose problem it is.
    record Failed(ErrorCode code, String message, Map<String, Object> value) implements ToolResult {
        public Failed {
            value = copy(value);
        }

        @Override
        public Failed withValue(Map<String, Object> newValue) {
            return new Failed(code, message, newValue);
        }
    }

    /// A rule or a person said no.
    record Denied(String reason, Map<String, Object> value) implements ToolResult {
        public Denied {
            value = copy(value);
        }

        @Override
        public Denied withValue(Map<String, Object> newValue) {
            return new Denied(reason, newValue);
        }
    }

    /// Somebody has to say yes first; `approval` names the question.
    record AwaitingApproval(String approval, Map<String, Object> value) implements ToolResult {
        public AwaitingApproval {
            value = copy(value);
        }

        @Override
        public AwaitingApproval withValue(Map<String, Object> newValue) {
            return new AwaitingApproval(approval, newValue);
        }
    }

    /// The time limit passed; the value holds what there was until then.
    record TimedOut(Duration limit, Map<String, Object> value) implements ToolResult {
        public TimedOut {
            value = copy(value);
        }

        @Override
        public TimedOut withValue(Map<String, Object> newValue) {
            return new TimedOut(limit, newValue);
        }
    }

    /// The caller took the call back; the value holds what there was until then.
    record Cancelled(String reason, Map<String, Object> value) implements ToolResult {
        public Cancelled {
            value = copy(value);
        }

        @Override
        public Cancelled withValue(Map<String, Object> newValue) {
            return new Cancelled(reason, newValue);
        }
    }

    /// The work goes on in the background under the id `process`.
    record Backgrounded(String process, Map<String, Object> value) implements ToolResult {
        public Backgrounded {
            value = copy(value);
        }

        @Override
        public Backgrounded withValue(Map<String, Object> newValue) {
            return new Backgrounded(process, newValue);
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
