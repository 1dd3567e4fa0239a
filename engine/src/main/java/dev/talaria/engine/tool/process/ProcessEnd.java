package dev.talaria.engine.tool.process;

import dev.talaria.engine.job.Exit;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/// The end of a process. Nothing in it is a guess.
///
/// @param exitCode the process's own code; -15 if we killed it, 128 + n for another signal n, -1 if it is not known
/// @param source who ended the process, if it did not end by itself
/// @param signal the signal that ended the process, if one did
/// @param survivors the processes of its tree that could not be ended
/// @param why an explanation for the result
record ProcessEnd(
        int exitCode,
        Reason reason,
        Optional<String> source,
        OptionalInt signal,
        List<String> survivors,
        Optional<String> why,
        Instant at) {
    private static final int TERMINATED = -15;
    private static final int UNKNOWN = -1;
    private static final int NOT_STARTED = 126;

    ProcessEnd {
        survivors = List.copyOf(survivors);
    }

    enum Reason {
        EXITED,
        KILLED,
        LOST,
        FAILED_START;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static ProcessEnd of(Exit exit, Instant at) {
        if (exit.status().notStarted().isPresent()) {
            return unseen(
                    NOT_STARTED, Reason.FAILED_START, exit.status().notStarted().get(), at);
        }
        if (exit.status().lost().isPresent()) {
            return lost(exit.status().lost().get(), at);
        }
        return new ProcessEnd(
                exit.shellCode(),
                Reason.EXITED,
                Optional.empty(),
                exit.status().signal(),
                exit.leftovers().survivors(),
                Optional.empty(),
                at);
    }

    /// Returns the same end of a process that somebody wanted to end. A process that was lost or never began
    /// was not killed.
    ProcessEnd killedBy(String who) {
        return reason == Reason.EXITED
                ? new ProcessEnd(TERMINATED, Reason.KILLED, Optional.of(who), signal, survivors, why, at)
                : this;
    }

    static ProcessEnd failed(String why, Instant at) {
        return unseen(UNKNOWN, Reason.FAILED_START, why, at);
    }

    static ProcessEnd lost(String why, Instant at) {
        return unseen(UNKNOWN, Reason.LOST, why, at);
    }

    private static ProcessEnd unseen(int code, Reason reason, String why, Instant at) {
        String how = reason == Reason.LOST ? "backend_lost" : "failed_start";
        return new ProcessEnd(code, reason, Optional.of(how), OptionalInt.empty(), List.of(), Optional.of(why), at);
    }

    boolean success() {
        return reason == Reason.EXITED && exitCode == 0;
    }

    /// Returns the status for results. A lost process does not count as exited.
    String status() {
        return reason == Reason.LOST ? "lost" : "exited";
    }
}
