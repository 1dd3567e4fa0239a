package dev.talaria.engine.gate;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.gate.reading.Surroundings;
import java.util.Optional;

/// What a process would have before it with something more typed into it.
///
/// @param command what runs there
/// @param terminal whether it has a terminal, which obeys editing keys
/// @param lines those that were ended before, up to a bound
/// @param text the line that is not ended yet, and all that was added
/// @param before what lines older than those have left
public record TypedInput(String command, boolean terminal, String lines, String text, Surroundings before) {

    /// Knows the processes that can be typed into.
    @FunctionalInterface
    public interface Keyboard {
        /// Returns what a process would have before it; empty if a session has no such process.
        Optional<TypedInput> typed(ToolCall call, String process, String data);
    }
}
