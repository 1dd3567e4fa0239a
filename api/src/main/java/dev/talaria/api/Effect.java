package dev.talaria.api;

import java.util.Map;
import java.util.Optional;

/// What a call of a tool does to the world, as far as an approval depends on it. Each tool declares it with {@link
/// Tool#effect}.
public sealed interface Effect {

    /// The call runs a command line.
    ///
    /// @param text the command line
    /// @param workdir the folder that the caller asked for
    /// @param input what the command reads
    /// @param background whether the command goes on after the call and takes input
    record Command(String text, Optional<String> workdir, Optional<String> input, boolean background)
            implements Effect {}

    /// The call types into a process that runs already.
    ///
    /// @param process the id of the process, as the caller wrote it
    /// @param data what is typed
    record Typing(String process, String data) implements Effect {}

    /// The call runs a script.
    ///
    /// @param code the script
    /// @param given what the script is given besides, such as its arguments
    record Script(String code, Map<String, Object> given) implements Effect {
        public Script {
            given = Map.copyOf(given);
        }
    }

    /// The call changes a file.
    ///
    /// @param path the path as the caller wrote it; which file that is, only the sandbox knows
    record FileChange(String path) implements Effect {}

    /// The call runs nothing of the caller's, and changes nothing.
    record Harmless() implements Effect {}

    /// The tool does not say what it does: the call may change anything.
    record Undeclared() implements Effect {}
}
