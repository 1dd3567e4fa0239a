package dev.talaria.engine.tool.terminal;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.config.Limit;
import dev.talaria.engine.json.JsonFields;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The request of a call of `terminal`.
///
/// @param workdir the folder for this command only
/// @param input the command's standard input
/// @param trim whether to leave out blank lines at both ends of the output; `talaria sh` shows them
record TerminalRequest(
        String command, Duration timeout, Optional<String> workdir, Optional<InputStream> input, boolean trim) {
    private static final int LONGEST_COMMAND = 1_000_000;

    /// Returns what is wrong with the arguments, so that a model can correct them.
    static Optional<String> objection(Map<String, Object> arguments, Duration standard) {
        return command(arguments)
                .or(() -> timeout(arguments.get("timeout"), standard))
                .or(() -> workdir(arguments.get("workdir")))
                .or(() -> input(arguments.get("stdin_data")));
    }

    private static Optional<String> command(Map<String, Object> arguments) {
        Object command = arguments.get("command");
        if (command == null) {
            return Optional.of(
                    arguments.get("code") != null
                            ? "terminal takes a shell command in 'command', not 'code'. Put the command line into"
                                    + " 'command', or use the tool execute_code for Python."
                            : "'command' is missing. Give the command line as a string.");
        }
        if (!(command instanceof String text)) {
            return Optional.of(
                    "'command' must be a string with a command line, not " + JsonFields.typeWithArticle(command)
                            + (command instanceof List<?> ? ". Join the words with spaces, quoted for bash." : "."));
        }
        if (text.isBlank()) {
            return Optional.of("The command is empty. Give a command line to run.");
        }
        if (text.indexOf('\0') >= 0) {
            return Optional.of("The command holds a NUL character at position " + text.indexOf('\0')
                    + ", which no shell can take. Remove it, or write the data to a file with write_file.");
        }
        if (text.length() >= LONGEST_COMMAND) {
            return Optional.of("The command is " + text.length() + " characters long; the most is "
                    + (LONGEST_COMMAND - 1) + ". Write the data to a file with write_file and have the command read"
                    + " that.");
        }
        return Optional.empty();
    }

    private static Optional<String> timeout(@Nullable Object timeout, Duration standard) {
        return timeout instanceof Number seconds && !(seconds.doubleValue() > 0)
                ? Optional.of("'timeout' must be a positive number of seconds, not " + seconds + ". Leave it out for "
                        + standard.toSeconds() + " s.")
                : Optional.empty();
    }

    private static Optional<String> workdir(@Nullable Object workdir) {
        return workdir instanceof String folder && folder.indexOf('\0') >= 0
                ? Optional.of("'workdir' holds a NUL character, which no path can. Give the path of a folder.")
                : Optional.empty();
    }

    private static Optional<String> input(@Nullable Object input) {
        return input == null || input instanceof String || input instanceof byte[]
                ? Optional.empty()
                : Optional.of("'stdin_data' must be a string, not " + JsonFields.typeWithArticle(input) + ".");
    }

    /// Returns the timeout that the call asks for, if it does.
    static Optional<Duration> asked(Map<String, Object> arguments) {
        return JsonFields.seconds(arguments, "timeout").map(asked -> asked.isZero() ? Duration.ofMillis(1) : asked);
    }

    /// Reads a call. The ceiling does not count for a one-shot call, whose caller only waits for it.
    static TerminalRequest of(ToolCall call, Limit<Duration> times) {
        Map<String, Object> arguments = call.arguments();
        return new TerminalRequest(
                String.valueOf(arguments.get("command")),
                asked(arguments)
                        .map(asked -> call.caller().oneShot() ? asked : times.allowed(asked))
                        .orElse(times.standard()),
                JsonFields.filled(arguments, "workdir"),
                switch (arguments.get("stdin_data")) {
                    case String text -> Optional.of(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
                    case byte[] bytes -> Optional.of(new ByteArrayInputStream(bytes));
                    case null, default -> call.input();
                },
                !Boolean.FALSE.equals(arguments.get("trim")));
    }
}
