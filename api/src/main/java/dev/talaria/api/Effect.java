package dev.talaria.api;

import java.util.Map;
import java.util.Optional;

/// What a call of a tool does to the world, as far as an approval depends on it. Each tool declares it with
/// {@link Tool#effect}.
///
/// ```java
/// Tool save = new Tool() {
///     @Override
///     public ToolSpec spec() {
///         return new ToolSpec("save", "Saves a note.", Map.of("type", "object"));
///     }
///
///     @Override
///     public Effect effect(Map<String, Object> arguments) {
///         return new Effect.FileChange(String.valueOf(arguments.get("path")));
///     }
///
///     @Override
///     public ToolResult call(ToolContext context) {
///         return ToolResult.completed("saved", true);
///     }
/// };
/// ```
public sealed interface Effect {

    /// The call runs a command line.
    ///
    /// @param text the command line
    /// @param workdir the folder that the caller asked for
    /// @param input the text that the command reads from its standard input
    /// @param background whether the command goes on after the call and takes input
    record Command(String text, Optional<String> workdir, Optional<String> input, boolean background)
            implements Effect {}

    /// The call types into a process that runs already.
    ///
    /// @param process the id of the process, as the caller wrote it
    /// @param data the typed text
    record Typing(String process, String data) implements Effect {}

    /// The call runs a script.
    ///
    /// @param code the script
    /// @param given the script's arguments and standard input, by their names in the call
    record Script(String code, Map<String, Object> given) implements Effect {
        public Script {
            given = Map.copyOf(given);
        }
    }

    /// The call changes a file.
    ///
    /// @param path the path as the caller wrote it; only the sandbox knows which file that is
    record FileChange(String path) implements Effect {}

    /// The call runs no code of the caller and changes nothing.
    record Harmless() implements Effect {}

    /// The tool does not declare its effect: the call may change anything.
    record Undeclared() implements Effect {}
}
