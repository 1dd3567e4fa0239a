package dev.talaria.engine.gate;

import dev.talaria.api.ToolCall;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a call does, as far as the gate cares. A tool that runs commands or changes files in another way gets its line
/// here.
sealed interface CallEffect {

    /// Runs a command line.
    ///
    /// @param workdir the folder it asked for
    /// @param input what it reads
    /// @param background whether it goes on after the call and takes input
    record Command(String text, Optional<String> workdir, Optional<String> input, boolean background)
            implements CallEffect {}

    /// Types into a process that runs already.
    ///
    /// @param process its id, as it was written
    record Typing(String process, String data) implements CallEffect {}

    /// Runs a script.
    record Script(String code) implements CallEffect {}

    /// Changes a file.
    ///
    /// @param path as it was written; which file that is, only the place knows where it is changed
    record Change(String path) implements CallEffect {}

    /// Runs nothing of the caller's, and changes nothing.
    record Harmless() implements CallEffect {}

    static CallEffect of(ToolCall call) {
        return switch (call.tool()) {
            case "terminal" ->
                new Command(
                        text(call, "command"),
                        Optional.of(text(call, "workdir")).filter(folder -> !folder.isBlank()),
                        input(call.arguments().get("stdin_data")),
                        Boolean.TRUE.equals(call.arguments().get("background")));
            case "process" ->
                switch (text(call, "action")) {
                    case "write" -> new Typing(process(call), text(call, "data"));
                    case "submit" -> new Typing(process(call), text(call, "data") + "\n");
                    default -> new Harmless();
                };
            case "execute_code" -> new Script(text(call, "code"));
            case "write_file" -> new Change(text(call, "path"));
            default -> new Harmless();
        };
    }

    private static Optional<String> input(@Nullable Object data) {
        return switch (data) {
            case String text -> Optional.of(text);
            case byte[] bytes -> Optional.of(new String(bytes, StandardCharsets.UTF_8));
            case null, default -> Optional.empty();
        };
    }

    private static String process(ToolCall call) {
        return String.valueOf(call.arguments().get("session_id")).strip();
    }

    private static String text(ToolCall call, String argument) {
        return call.arguments().get(argument) instanceof String text ? text : "";
    }
}
