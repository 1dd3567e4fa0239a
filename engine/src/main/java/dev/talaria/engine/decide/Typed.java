package dev.talaria.engine.decide;

import java.util.Optional;

/// What a process would have before it with something more typed into it.
///
/// @param command what runs there
/// @param text the line that is not ended yet, and all that was added
public record Typed(String command, String text) {

    /// Knows the processes that can be typed into.
    @FunctionalInterface
    public interface Keyboard {
        /// Returns what a process would have before it; empty if a session has no such process.
        Optional<Typed> typed(String session, String process, String data);
    }
}
