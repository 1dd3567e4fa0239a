package dev.talaria.engine.tool.process;

import dev.talaria.engine.job.Exit;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/// How a process ended; nothing in it is guessed.
///
/// @param exitCode its own; -15 if we killed it, 128 + n for another signal n, -1 if nobody knows
/// @param source who ended it, if it did not end by itself
/// @param signal the signal it died of, if it did
/// @param survivors processes of its tree that could not be ended
/// @param why what is to be said about it
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

    /// @param killedBy who asked for its end, if anybody did
    static ProcessEnd of(Exit exit, Optional<String> killedBy, Instant at) {
        if (exit.status().notStarted().isPresent()) {
            return new ProcessEnd(
                    126,
                    Reason.FAILED_START,
                    Optional.of("failed_start"),
                    OptionalInt.empty(),
                    List.of(),
                    exit.status().notStarted(),
                    at);
        }
        if (exit.status().lost().isPresent()) {
            return lost(exit.status().lost().get(), at);
        }
        return killedBy.isPresent()
                ? new ProcessEnd(
                        TERMINATED,
                        Reason.KILLED,
                        killedBy,
                        exit.status().signal(),
                        exit.leftovers().survivors(),
                        Optional.empty(),
                        at)
                : new ProcessEnd(
                        exit.shellCode(),
                        Reason.EXITED,
                        Optional.empty(),
                        exit.status().signal(),
                        exit.leftovers().survivors(),
                        Optional.empty(),
                        at);
    }

    static ProcessEnd failed(String why, Instant at) {
        return unseen(Reason.FAILED_START, "failed_start", why, at);
    }

    static ProcessEnd lost(String why, Instant at) {
        return unseen(Reason.LOST, "backend_lost", why, at);
    }

    private static ProcessEnd unseen(Reason reason, String how, String why, Instant at) {
        return new ProcessEnd(UNKNOWN, reason, Optional.of(how), OptionalInt.empty(), List.of(), Optional.of(why), at);
    }

    boolean success() {
        return reason == Reason.EXITED && exitCode == 0;
    }

    /// Returns the word for results: a process that was lost is not said to have exited.
    String status() {
        return reason == Reason.LOST ? "lost" : "exited";
    }
}
