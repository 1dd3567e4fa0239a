package dev.talaria.api;

import java.io.InputStream;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/// One use of a tool: its arguments, its caller, and the call whose script made it.
///
/// ```java
/// ToolCall call = ToolCall.of("terminal", Map.of("command", "uname -a")).within(Duration.ofSeconds(10));
/// ```
///
/// @param id the call's id in events, the audit log and messages
/// @param parent the id of the call whose script made this one; absent for the calls of models and people
/// @param caller who makes the call, and in which session
/// @param tool the name of the tool
/// @param arguments JSON values by parameter name; null values are allowed and mean "not given"
/// @param limit how long the call may take; absent means as long as the settings allow
/// @param input the standard input of a command, as a stream that is read while the command runs
public record ToolCall(
        String id,
        Optional<String> parent,
        Caller caller,
        String tool,
        Map<String, Object> arguments,
        Optional<Duration> limit,
        Optional<InputStream> input) {

    public ToolCall {
        arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
    }

    /// Returns a call with a fresh id, made by Java code in the default session.
    public static ToolCall of(String tool, Map<String, Object> arguments) {
        return of(Caller.java(), tool, arguments);
    }

    /// Returns a call with a fresh id, made by this caller.
    public static ToolCall of(Caller caller, String tool, Map<String, Object> arguments) {
        return new ToolCall(freshId(), Optional.empty(), caller, tool, arguments, Optional.empty(), Optional.empty());
    }

    /// Returns a call that a script made while this call was running it.
    public ToolCall nested(String nestedTool, Map<String, Object> nestedArguments) {
        return new ToolCall(
                freshId(), Optional.of(id), caller, nestedTool, nestedArguments, Optional.empty(), Optional.empty());
    }

    /// Returns the same call with a time limit.
    public ToolCall within(Duration newLimit) {
        return new ToolCall(id, parent, caller, tool, arguments, Optional.of(newLimit), input);
    }

    /// Returns the same call with a standard input. It is read as fast as the command reads, and no longer
    /// than the command runs.
    public ToolCall reading(InputStream newInput) {
        return new ToolCall(id, parent, caller, tool, arguments, limit, Optional.of(newInput));
    }

    private static String freshId() {
        return Ids.PREFIX + Ids.NEXT.incrementAndGet();
    }

    /// Ids are unique, not secret: a random beginning for this process, then a number.
    private static final class Ids {
        static final String PREFIX =
                "call_" + Long.toHexString(UUID.randomUUID().getMostSignificantBits()) + "_";
        static final AtomicLong NEXT = new AtomicLong();
    }
}
