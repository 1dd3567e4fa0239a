package dev.talaria.engine.gate;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.gate.reading.ShellContext;
import java.util.Optional;

/// The unread input of a process after more text was typed into it.
///
/// @param command the process's command
/// @param terminal whether the process has a terminal, which obeys editing keys
/// @param lines the finished lines before, up to a limit
/// @param text the unfinished line, with the added text
/// @param before what still older lines have left behind
public record TypedInput(String command, boolean terminal, String lines, String text, ShellContext before) {

    /// Knows the processes that somebody can type into.
    @FunctionalInterface
    public interface Keyboard {
        /// Returns a process's input with this data added; empty if the session has no such process.
        Optional<TypedInput> typed(ToolCall call, String process, String data);
    }
}
