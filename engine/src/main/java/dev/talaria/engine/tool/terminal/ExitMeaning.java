package dev.talaria.engine.tool.terminal;

import dev.talaria.engine.job.Exit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// What an exit code says, where that is not obvious: for some programs 1 is no failure at all.
final class ExitMeaning {
    private static final int INTERRUPTED = 2;

    private static final Map<Integer, String> SIGNALS = Map.ofEntries(
            Map.entry(3, "SIGQUIT"),
            Map.entry(4, "SIGILL, an invalid instruction"),
            Map.entry(6, "SIGABRT, it aborted itself"),
            Map.entry(7, "SIGBUS, a bad memory access"),
            Map.entry(8, "SIGFPE, an arithmetic error"),
            Map.entry(9, "SIGKILL, often for want of memory"),
            Map.entry(11, "SIGSEGV, a bad memory access"),
            Map.entry(13, "SIGPIPE, nobody read its output any more"),
            Map.entry(15, "SIGTERM, it was asked to end"),
            Map.entry(24, "SIGXCPU, over its CPU time"),
            Map.entry(25, "SIGXFSZ, over the file size limit"));

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

    /// Returns what the end of `command` means, if that needs saying.
    static Optional<String> of(String command, Exit exit) {
        if (exit.outOfMemory().isPresent() && exit.killed()) {
            return exit.outOfMemory();
        }
        if (exit.signal().isPresent()) {
            int signal = exit.signal().getAsInt();
            return signal == INTERRUPTED
                    ? Optional.empty()
                    : Optional.of("Killed by signal " + described(signal) + ".");
        }
        int code = exit.shellCode();
        if (code > 128 && SIGNALS.containsKey(code - 128)) {
            return Optional.of("Usually: a program was killed by signal " + described(code - 128) + ".");
        }
        String program = program(command);
        return KNOWN.stream()
                .filter(known -> known.code == code && known.programs.contains(program))
                .map(Known::meaning)
                .findFirst();
    }

    private static String described(int signal) {
        String name = SIGNALS.get(signal);
        return name == null ? String.valueOf(signal) : signal + " (" + name + ")";
    }

    /// Returns the program that a command line's exit code comes from, as a rule.
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
