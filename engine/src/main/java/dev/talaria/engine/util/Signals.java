package dev.talaria.engine.util;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// The signals of Linux: their names and their most common causes.
public final class Signals {
    public static final int INTERRUPT = 2;
    public static final int TERMINATE = 15;

    private record Signal(String name, String meaning) {}

    private static final Map<Integer, Signal> KNOWN = Map.ofEntries(
            Map.entry(1, new Signal("SIGHUP", "")),
            Map.entry(2, new Signal("SIGINT", "")),
            Map.entry(3, new Signal("SIGQUIT", "")),
            Map.entry(4, new Signal("SIGILL", "an invalid instruction")),
            Map.entry(6, new Signal("SIGABRT", "it aborted itself")),
            Map.entry(7, new Signal("SIGBUS", "a bad memory access")),
            Map.entry(8, new Signal("SIGFPE", "an arithmetic error")),
            Map.entry(9, new Signal("SIGKILL", "often for want of memory")),
            Map.entry(11, new Signal("SIGSEGV", "a bad memory access")),
            Map.entry(13, new Signal("SIGPIPE", "nobody read its output any more")),
            Map.entry(14, new Signal("SIGALRM", "")),
            Map.entry(15, new Signal("SIGTERM", "it was asked to end")),
            Map.entry(24, new Signal("SIGXCPU", "over its CPU time")),
            Map.entry(25, new Signal("SIGXFSZ", "over the file size limit")));

    /// The signals n for which the exit code 128 + n often has another cause.
    private static final Set<Integer> AMBIGUOUS = Set.of(1, INTERRUPT, 14);

    private Signals() {}

    /// Returns the signal that a shell's exit code usually stands for; empty if it stands for none.
    public static OptionalInt behind(int exitCode) {
        int signal = exitCode - 128;
        return KNOWN.containsKey(signal) && !AMBIGUOUS.contains(signal) ? OptionalInt.of(signal) : OptionalInt.empty();
    }

    /// Returns a signal's number with its name, if it has one: `9 (SIGKILL)`.
    public static String describe(int number) {
        Signal known = KNOWN.get(number);
        return known == null ? String.valueOf(number) : number + " (" + known.name + ")";
    }

    /// Returns a signal's name and its most common cause: `SIGKILL, often for want of memory`.
    public static Optional<String> meaning(int number) {
        return Optional.ofNullable(KNOWN.get(number))
                .map(known -> known.meaning.isEmpty() ? known.name : known.name + ", " + known.meaning);
    }
}
