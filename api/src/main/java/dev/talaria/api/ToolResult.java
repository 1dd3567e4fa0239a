package dev.talaria.api;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// The result of a call. Every case has a {@link #value()}: the JSON object that the model or script reads.
///
/// ```java
/// switch (engine.call(call)) {
///     case ToolResult.Completed done -> System.out.println(done.value().get("output"));
///     case ToolResult.Denied denied -> System.out.println("not allowed: " + denied.reason());
///     case ToolResult other -> System.out.println(other.value().get("error"));
/// }
/// ```
public sealed interface ToolResult {

    /// Returns the JSON object that the caller reads, with its keys in order.
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

    /// The tool did its work. A command or script that exited is completed, whatever its exit code is.
    ///
    /// @param value the JSON object that the caller reads
    record Completed(Map<String, Object> value) implements ToolResult {
        public Completed {
            value = copy(value);
        }
    }

    /// The call failed.
    ///
    /// @param code why it failed, and who can solve the problem
    /// @param message what failed, and what to do about it
    /// @param value the JSON object that the caller reads
    record Failed(ErrorCode code, String message, Map<String, Object> value) implements ToolResult {
        public Failed {
            value = copy(value);
        }
    }

    /// A rule or a person refused the call.
    ///
    /// @param reason why the call was refused
    /// @param value the JSON object that the caller reads
    record Denied(String reason, Map<String, Object> value) implements ToolResult {
        public Denied {
            value = copy(value);
        }
    }

    /// A person has to approve the call first. The same call runs after that.
    ///
    /// @param approval the id of the question
    /// @param value the JSON object that the caller reads
    record AwaitingApproval(String approval, Map<String, Object> value) implements ToolResult {
        public AwaitingApproval {
            value = copy(value);
        }
    }

    /// The time limit passed.
    ///
    /// @param limit the time limit
    /// @param value the JSON object that the caller reads, with the output until then
    record TimedOut(Duration limit, Map<String, Object> value) implements ToolResult {
        public TimedOut {
            value = copy(value);
        }
    }

    /// The caller cancelled the call.
    ///
    /// @param reason the caller's reason
    /// @param value the JSON object that the caller reads, with the output until then
    record Cancelled(String reason, Map<String, Object> value) implements ToolResult {
        public Cancelled {
            value = copy(value);
        }
    }

    /// The work goes on in the background.
    ///
    /// @param process the id of the background process
    /// @param value the JSON object that the caller reads
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
