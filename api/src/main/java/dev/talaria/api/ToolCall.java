package dev.talaria.api;

import java.io.InputStream;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/// One use of a tool: what is asked for, by whom, and inside which other call.
///
/// ```java
/// ToolCall call = ToolCall.of("terminal", Map.of("command", "uname -a")).within(Duration.ofSeconds(10));
/// ```
///
/// @param id names this call in events, the audit log and messages
/// @param parent the call whose script made this one, for nested calls
/// @param caller who asks, and in which session
/// @param tool name of the tool
/// @param arguments JSON values by parameter name; null values are allowed and mean "not given"
/// @param limit how long the call may take at most, when the caller has an opinion
/// @param input what a command reads from its standard input, for doors that have it come as it is read
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

    /// Returns a call with a fresh id.
    public static ToolCall of(Caller caller, String tool, Map<String, Object> arguments) {
        return new ToolCall(freshId(), Optional.empty(), caller, tool, arguments, Optional.empty(), Optional.empty());
    }

    /// Returns a call that a script made while this call was running it.
    public ToolCall nested(String nestedTool, Map<String, Object> nestedArguments) {
        return new ToolCall(
                freshId(), Optional.of(id), caller, nestedTool, nestedArguments, Optional.empty(), Optional.empty());
    }

    /// Returns the same call, bounded by a time limit.
    public ToolCall within(Duration newLimit) {
        return new ToolCall(id, parent, caller, tool, arguments, Optional.of(newLimit), input);
    }

    /// Returns the same call with an input, which is read as fast as the command reads and no longer than it runs.
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
