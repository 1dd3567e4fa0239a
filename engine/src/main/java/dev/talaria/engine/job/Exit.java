package dev.talaria.engine.job;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// How a job ended.
///
/// @param code the exit code, if it exited
/// @param signal the number of the signal that killed it, if one did
/// @param leftBehind the number of processes that it had left running; they were ended with it
/// @param survivors processes that could not be ended, by name
/// @param notStarted why it never ran
/// @param lost what happened to its keeper, if the keeper did not live until the end
/// @param overLimit the limit that it exceeded, if it was ended for that
/// @param peakMemory the largest resident size in bytes
/// @param peakProcesses the largest number of processes at one time, if they were counted
/// @param drainIncomplete whether another process still held the output open when we stopped waiting
///     for it
/// @param wholeTree whether children that had left the tree were sure to be found
/// @param bound how exactly the number of its processes was limited, if it was: exact, approximate or
///     counted
/// @param shell what became of the session's shell, if it was one and there is anything to report
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

    /// What became of a session's shell.
    ///
    /// @param cwd the folder that it has changed to; for a snapshot, present if one was taken
    /// @param note a note about it for the caller
    public record ShellEnd(Optional<String> cwd, Optional<String> note) {}

    /// Returns a message if the kernel killed one of the processes for want of memory.
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

    /// Returns whether the job, or the last command of its shell, was killed.
    public boolean killed() {
        return shellCode() == KILLED;
    }

    /// Returns the exit code as a shell shows it: 128 + n for signal n.
    public int shellCode() {
        return code.orElseGet(() -> 128 + signal.orElse(1));
    }
}
