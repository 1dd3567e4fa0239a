package dev.talaria.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Something that happened to a call while it ran. Texts have passed the output stage.
public sealed interface CallEvent {

    /// Returns the call that the event is about.
    ToolCall call();

    /// The call was admitted and allowed; a nested one names its parent.
    record Started(ToolCall call, Instant at) implements CallEvent {}

    /// The running script or command printed whole lines.
    record Output(ToolCall call, Stream stream, String text) implements CallEvent {}

    /// Said every ten seconds while a call runs, with what it waits for.
    record StillRunning(ToolCall call, Duration elapsed, String waitingFor) implements CallEvent {}

    /// What the call needs is being got ready, which takes a while: an image is pulled, a folder sent.
    ///
    /// @param what how it goes on, in one line; absent as soon as it is ready
    record Preparing(ToolCall call, Optional<String> what) implements CallEvent {}

    /// The call is over. `decision` is what the gate said.
    record Ended(ToolCall call, ToolResult result, Duration took, String decision, Optional<String> sandbox, Instant at)
            implements CallEvent {}

    /// Something to be told about a background process, which nobody waits for: its end, new output.
    ///
    /// @param call the call that started the process
    /// @param process the process's id
    /// @param value what there is to tell
    record Notice(ToolCall call, String process, Map<String, Object> value) implements CallEvent {
        public Notice {
            value = Collections.unmodifiableMap(new LinkedHashMap<>(value));
        }
    }

    /// Where a line of output came from.
    enum Stream {
        STDOUT,
        STDERR
    }
}
