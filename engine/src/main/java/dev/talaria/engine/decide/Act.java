package dev.talaria.engine.decide;

import dev.talaria.api.ToolCall;

/// What a call does, as far as the gate cares. A tool that runs commands in another way gets its line here.
sealed interface Act {

    /// Runs a command line.
    record Command(String text) implements Act {}

    /// Runs a script.
    record Script(String code) implements Act {}

    /// Runs nothing of the caller's.
    record Harmless() implements Act {}

    static Act of(ToolCall call) {
        return switch (call.tool()) {
            case "terminal" -> new Command(text(call, "command"));
            case "execute_code" -> new Script(text(call, "code"));
            default -> new Harmless();
        };
    }

    private static String text(ToolCall call, String argument) {
        return call.arguments().get(argument) instanceof String text ? text : "";
    }
}
