package dev.talaria.engine.job;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// How a job ended.
///
/// @param code exit code, if it exited
/// @param signal number of the signal it died of, if it did
/// @param leftBehind processes it had left running; they were ended with it
/// @param survivors processes that could not be ended, by name
/// @param notStarted why it never ran
/// @param lost what happened to its keeper, if that did not live to see the end
/// @param overLimit the limit for which it was ended
/// @param peakMemory largest resident size in bytes
/// @param peakProcesses most processes at one time, where they were counted
/// @param drainIncomplete whether somebody still held the output open when we stopped waiting for it
/// @param wholeTree whether children that had left the tree were sure to be found
/// @param bound how well the number of its processes was bounded, if it was to be: exact, approximate or counted
/// @param shell what became of the session's shell, if it was one and there is anything to say
public record Exit(
        OptionalInt code,
        OptionalInt signal,
        int leftBehind,
        List<String> survivors,
        Optional<String> notStarted,
        Optional<String> lost,
        Optional<String> overLimit,
        OptionalLong peakMemory,
        OptionalInt peakProcesses,
        boolean drainIncomplete,
        boolean wholeTree,
        Optional<String> bound,
        Optional<ShellEnd> shell) {
    private static final String MEMORY = "memory";
    private static final int KILLED = 137;

    public Exit {
        survivors = List.copyOf(survivors);
    }

    public Exit(
            OptionalInt code,
            OptionalInt signal,
            int leftBehind,
            List<String> survivors,
            Optional<String> notStarted,
            Optional<String> lost,
            Optional<String> overLimit,
            OptionalLong peakMemory,
            OptionalInt peakProcesses,
            boolean drainIncomplete,
            boolean wholeTree) {
        this(
                code,
                signal,
                leftBehind,
                survivors,
                notStarted,
                lost,
                overLimit,
                peakMemory,
                peakProcesses,
                drainIncomplete,
                wholeTree,
                Optional.empty(),
                Optional.empty());
    }

    /// What became of a session's shell.
    ///
    /// @param cwd the folder it has moved to; for a snapshot, that it was taken
    /// @param note what the caller should know about it
    public record ShellEnd(Optional<String> cwd, Optional<String> note) {}

    /// Returns what is to be said if the kernel took one of its processes for want of memory.
    public Optional<String> outOfMemory() {
        return overLimit.filter(limit -> limit.startsWith(MEMORY)).map(limit -> {
            String bytes = limit.substring(MEMORY.length()).strip();
            return "Out of memory: the kernel killed a process"
                    + (bytes.isEmpty()
                            ? ". "
                            : ", since all of this sandbox together may have " + (Long.parseLong(bytes) >> 20)
                                    + " MiB. ")
                    + "Do the work in smaller parts, or have the limit raised (the backend's option memory).";
        });
    }

    /// Returns whether it was killed, itself or what its shell ran last.
    public boolean killed() {
        return shellCode() == KILLED;
    }

    /// Returns the exit code as a shell shows it: 128 + n for signal n.
    public int shellCode() {
        return code.orElseGet(() -> 128 + signal.orElse(1));
    }
}
