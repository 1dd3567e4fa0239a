package dev.talaria.engine.job;

import dev.talaria.engine.json.JsonFields;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// How a job ended.
///
/// @param status how its first process ended
/// @param leftovers what it left running
/// @param peak the most that it used
/// @param overLimit the limit that it exceeded, if it was ended for that
/// @param shell what became of the session's shell, if it was one and there is anything to report
public record Exit(
        Status status, Leftovers leftovers, Peak peak, Optional<String> overLimit, Optional<ShellEnd> shell) {
    private static final String MEMORY = "memory";
    private static final int KILLED = 137;

    /// How the first process of a job ended.
    ///
    /// @param code the exit code, if it exited
    /// @param signal the number of the signal that killed it, if one did
    /// @param notStarted why it never ran
    /// @param lost what happened to its keeper, if the keeper did not live until the end
    public record Status(OptionalInt code, OptionalInt signal, Optional<String> notStarted, Optional<String> lost) {}

    /// The processes that a job left running.
    ///
    /// @param ended the number of those that were ended with it
    /// @param survivors those that could not be ended, by name
    /// @param drainIncomplete whether another process still held the output open when we stopped waiting
    ///     for it
    /// @param wholeTree whether children that had left the tree were sure to be found
    public record Leftovers(int ended, List<String> survivors, boolean drainIncomplete, boolean wholeTree) {
        public Leftovers {
            survivors = List.copyOf(survivors);
        }
    }

    /// The most that a job used at one time.
    ///
    /// @param memory the largest resident size in bytes
    /// @param processes the largest number of processes, if they were counted
    /// @param bound how exactly the number of processes was limited, if it was: exact, approximate or
    ///     counted
    public record Peak(OptionalLong memory, OptionalInt processes, Optional<String> bound) {
        public static final Peak UNKNOWN = new Peak(OptionalLong.empty(), OptionalInt.empty(), Optional.empty());
    }

    /// What became of a session's shell.
    ///
    /// @param cwd the folder that it has changed to; for a snapshot, present if one was taken
    /// @param note a note about it for the caller
    public record ShellEnd(Optional<String> cwd, Optional<String> note) {}

    /// Returns the end of a job whose keeper is gone.
    public static Exit lost(String what) {
        return of(Map.of("lost", what));
    }

    /// Returns what a relay, a guardian or `run.py` reports of a job's end.
    public static Exit of(Map<?, ?> report) {
        return new Exit(
                new Status(
                        JsonFields.number(report, "code"),
                        JsonFields.number(report, "signal"),
                        JsonFields.text(report, "not_started"),
                        JsonFields.text(report, "lost")),
                new Leftovers(
                        JsonFields.number(report, "left").orElse(0),
                        JsonFields.texts(report, "survivors"),
                        JsonFields.isTrue(report, "drain_incomplete"),
                        !Boolean.FALSE.equals(report.get("subreaper"))),
                new Peak(
                        JsonFields.longNumber(report, "maxrss"),
                        JsonFields.number(report, "processes"),
                        JsonFields.text(report, "bound")),
                JsonFields.text(report, "over_limit"),
                report.get("shell") instanceof Map<?, ?> shell
                        ? Optional.of(new ShellEnd(JsonFields.text(shell, "cwd"), JsonFields.text(shell, "note")))
                        : Optional.empty());
    }

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
        return status.code().orElseGet(() -> 128 + status.signal().orElse(1));
    }
}
