package dev.talaria.engine.tool.terminal;

import dev.talaria.engine.job.Exit;
import dev.talaria.engine.util.Signals;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/// Explains exit codes that are not obvious: for some programs 1 is no failure.
final class ExitMeaning {
    private record Known(Set<String> programs, int code, String meaning) {}

    private static final List<Known> KNOWN = List.of(
            new Known(Set.of("grep", "egrep", "fgrep", "rg", "ag", "ack"), 1, "Nothing matched; that is not an error."),
            new Known(Set.of("diff", "colordiff"), 1, "The files differ; that is not an error."),
            new Known(Set.of("test", "["), 1, "The condition is false; that is not an error."),
            new Known(Set.of("find"), 1, "Some folders could not be read; the rest was searched."),
            new Known(Set.of("curl"), 6, "The host's name could not be resolved."),
            new Known(Set.of("curl"), 7, "No connection to the host."),
            new Known(Set.of("curl"), 22, "The server answered with an HTTP error (400 or above)."),
            new Known(Set.of("curl"), 28, "The request timed out."),
            new Known(Set.of("git"), 1, "Often normal for git: `git diff` and others say that there are differences."));

    private static final Pattern SEGMENTS = Pattern.compile("\\s*(?:\\|\\||&&|[|;])\\s*");
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private ExitMeaning() {}

    /// Returns what the exit of `command` means, if it needs an explanation.
    static Optional<String> of(String command, Exit exit) {
        if (exit.outOfMemory().isPresent() && exit.killed()) {
            return exit.outOfMemory();
        }
        if (exit.status().signal().isPresent()) {
            int signal = exit.status().signal().getAsInt();
            return signal == Signals.INTERRUPT
                    ? Optional.empty()
                    : Optional.of("Killed by signal " + described(signal) + ".");
        }
        int code = exit.shellCode();
        OptionalInt behind = Signals.behind(code);
        if (behind.isPresent()) {
            return Optional.of("Usually: a program was killed by signal " + described(behind.getAsInt()) + ".");
        }
        String program = program(command);
        return KNOWN.stream()
                .filter(known -> known.code == code && known.programs.contains(program))
                .map(Known::meaning)
                .findFirst();
    }

    private static String described(int signal) {
        return Signals.meaning(signal)
                .map(meaning -> signal + " (" + meaning + ")")
                .orElse(String.valueOf(signal));
    }

    /// Returns the program that usually sets the exit code of a command line.
    static String program(String command) {
        String[] segments = SEGMENTS.split(command.strip(), -1);
        String last = segments.length == 0 ? "" : segments[segments.length - 1];
        for (String word : BLANKS.split(last, -1)) {
            if (!word.isEmpty() && word.indexOf('=') < 0 && !word.startsWith("-")) {
                return word.substring(word.lastIndexOf('/') + 1);
            }
        }
        return "";
    }
}
