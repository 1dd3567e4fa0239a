package dev.talaria.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Something that happened to a call. All texts are cleaned: they hold no secrets and no escape sequences.
///
/// ```java
/// CallListener progress = event -> {
///     switch (event) {
///         case CallEvent.Started started -> System.out.println(started.call().tool() + " began");
///         case CallEvent.Output output -> System.out.print(output.text());
///         case CallEvent.Ended ended -> System.out.println(ended.call().tool() + " took " + ended.took());
///         case CallEvent.StillRunning _, CallEvent.Preparing _, CallEvent.Notice _ -> {}
///     }
/// };
/// Engine engine = Engine.builder().listener(progress).build();
/// ```
public sealed interface CallEvent {

    /// Returns the call that the event is about.
    ToolCall call();

    /// The call was admitted and allowed. A call of a script names its parent.
    ///
    /// @param call the call
    /// @param at the time of the event
    record Started(ToolCall call, Instant at) implements CallEvent {}

    /// The running script or command printed whole lines.
    ///
    /// @param call the call that runs it
    /// @param stream where the lines were printed
    /// @param text the lines, with their line feeds
    record Output(ToolCall call, Stream stream, String text) implements CallEvent {}

    /// The call still runs. This event comes every ten seconds.
    ///
    /// @param call the call
    /// @param elapsed how long the call has run
    /// @param waitingFor what the call waits for, in a few words
    record StillRunning(ToolCall call, Duration elapsed, String waitingFor) implements CallEvent {}

    /// The engine prepares the sandbox of the call, and that takes a while: an image is pulled, a folder is
    /// uploaded.
    ///
    /// @param call the call
    /// @param what the progress in one line; absent when the sandbox is ready
    record Preparing(ToolCall call, Optional<String> what) implements CallEvent {}

    /// The call is over.
    ///
    /// @param call the call
    /// @param result the result
    /// @param took how long the call took
    /// @param decision the word of the gate's decision in the audit log
    /// @param sandbox the name of the sandbox that the call ran in; absent if it ran in none
    /// @param at the time of the event
    record Ended(ToolCall call, ToolResult result, Duration took, String decision, Optional<String> sandbox, Instant at)
            implements CallEvent {}

    /// A background process has ended or printed something that its session asked to hear of.
    ///
    /// @param call the call that started the process
    /// @param process the process's id
    /// @param value the JSON object that the session is shown
    record Notice(ToolCall call, String process, Map<String, Object> value) implements CallEvent {
        public Notice {
            value = Collections.unmodifiableMap(new LinkedHashMap<>(value));
        }
    }

    /// A stream that a script or command prints to.
    enum Stream {
        /// Standard output.
        STDOUT,
        /// Standard error.
        STDERR
    }
}
