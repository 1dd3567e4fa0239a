package dev.talaria.engine.terminal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a call of `terminal` asks for.
///
/// @param workdir the folder for this command alone
/// @param input what the command reads from its standard input
/// @param trim whether blank lines at both ends of its output are left out; a shell shows it as it was written
record TerminalRequest(
        String command, Duration timeout, Optional<String> workdir, Optional<byte[]> input, boolean trim) {
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    static final Duration LONGEST = Duration.ofMinutes(10);
    private static final int LONGEST_COMMAND = 1_000_000;

    /// Returns what is wrong with the arguments, said so that a model can mend it.
    static Optional<String> objection(Map<String, Object> arguments) {
        return command(arguments)
                .or(() -> timeout(arguments.get("timeout")))
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
            return Optional.of("'command' must be a string with a command line, not " + kind(command)
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

    private static Optional<String> timeout(@Nullable Object timeout) {
        return timeout instanceof Number seconds && !(seconds.doubleValue() > 0)
                ? Optional.of("'timeout' must be a positive number of seconds, not " + seconds + ". Leave it out for "
                        + TIMEOUT.toSeconds() + " s.")
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
                : Optional.of("'stdin_data' must be a string, not " + kind(input) + ".");
    }

    private static String kind(Object value) {
        return switch (value) {
            case List<?> _ -> "an array";
            case Map<?, ?> _ -> "an object";
            case Boolean _ -> "a boolean";
            case Number _ -> "a number";
            default -> "a " + value.getClass().getSimpleName();
        };
    }

    /// Returns how long the command may take, if that is longer than anybody waits for a command.
    static Optional<Duration> tooLong(Map<String, Object> arguments) {
        return arguments.get("timeout") instanceof Number seconds && seconds.doubleValue() > LONGEST.toSeconds()
                ? Optional.of(Duration.ofSeconds(seconds.longValue()))
                : Optional.empty();
    }

    static TerminalRequest of(Map<String, Object> arguments) {
        return new TerminalRequest(
                String.valueOf(arguments.get("command")),
                arguments.get("timeout") instanceof Number seconds
                        ? Duration.ofMillis(Math.max(
                                1, (long) (Math.min(seconds.doubleValue(), (double) LONGEST.toSeconds()) * 1000)))
                        : TIMEOUT,
                arguments.get("workdir") instanceof String folder && !folder.isBlank()
                        ? Optional.of(folder)
                        : Optional.empty(),
                switch (arguments.get("stdin_data")) {
                    case String text -> Optional.of(text.getBytes(StandardCharsets.UTF_8));
                    case byte[] bytes -> Optional.of(bytes);
                    case null, default -> Optional.empty();
                },
                !Boolean.FALSE.equals(arguments.get("trim")));
    }
}
