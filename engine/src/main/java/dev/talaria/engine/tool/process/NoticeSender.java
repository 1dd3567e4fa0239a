package dev.talaria.engine.tool.process;

import dev.talaria.api.CallEvent;
import dev.talaria.engine.output.Excerpt;
import dev.talaria.engine.output.Redactor;
import dev.talaria.engine.util.Signals;
import dev.talaria.engine.util.Waits;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// Sends notices about processes: their end, texts in their output, and new output at intervals.
final class NoticeSender {
    static final int OUTPUT_CHARS = BackgroundProcess.LAST_WORDS;
    private static final int MOST_AT_ONCE = 15;
    private static final Duration AT_ONCE = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofSeconds(30);

    private final Notices notices;
    private final Redactor redactor;
    private final LongSupplier nanos;
    private final Deque<Long> matches = new ArrayDeque<>(); // this and the next two: guarded by matches
    private long pausedUntil;
    private int paused;

    NoticeSender(Notices notices, Redactor redactor, LongSupplier nanos) {
        this.notices = notices;
        this.redactor = redactor;
        this.nanos = nanos;
    }

    /// Sends the notices that the process's flags ask for, from now on.
    void follow(BackgroundProcess process) {
        var _ = process.ended().thenRun(() -> end(process));
        process.origin()
                .flags()
                .heartbeat()
                .ifPresent(
                        every -> Thread.ofVirtual().name("process-heartbeat").start(() -> heartbeat(process, every)));
    }

    /// Sends a notice of a process's end, if it has ended, its flags want the notice, and nobody knows yet.
    void end(BackgroundProcess process) {
        process.end()
                .filter(how -> process.notifies()
                        && notices.policy().tells(how.success())
                        && process.told().claimEnd())
                .ifPresent(how -> completion(process, how));
    }

    private void completion(BackgroundProcess process, ProcessEnd how) {
        Map<String, Object> value = common(process, "completion");
        value.put("exit_code", how.exitCode());
        value.put("completion_reason", how.reason().word());
        how.source().ifPresent(source -> value.put("termination_source", source));
        RollingOutput.Tail output = process.lastWords();
        value.put("output", output.text());
        if (output.cut()) {
            value.put("output_cut", ProcessView.CUT);
        }
        value.put("started_at", ProcessView.time(process.origin().started()));
        String status = switch (how.reason()) {
            case EXITED -> how.exitCode() == 0 ? "completed normally" : "exited";
            case KILLED -> "terminated by " + how.source().orElse("a kill");
            case LOST -> "was lost with its sandbox";
            case FAILED_START -> "could not be started";
        };
        boolean terminated = how.exitCode() == -Signals.TERMINATE || how.exitCode() == 128 + Signals.TERMINATE;
        value.put(
                "message",
                "[IMPORTANT: Background process " + process.id() + " " + status + " (exit code "
                        + how.exitCode() + (terminated ? ", SIGTERM" : "")
                        + ").\nCommand: "
                        + value.get("command") + "\nOutput:\n" + output.text() + "]");
        tell(process, value, process.told()::ended, process.told()::end);
    }

    private void tell(BackgroundProcess process, Map<String, Object> value, Runnable told) {
        tell(process, value, told, () -> false);
    }

    private void tell(BackgroundProcess process, Map<String, Object> value, Runnable told, BooleanSupplier known) {
        BackgroundProcess.Origin origin = process.origin();
        notices.add(new CallEvent.Notice(origin.call(), process.id(), value), origin.foundAgain(), told, known);
    }

    /// Sends heartbeats until the process ends. It runs in its own thread.
    private void heartbeat(BackgroundProcess process, Duration every) {
        long seen = process.told().beaten();
        for (int seq = process.told().beats() + 1; !Waits.until(process.ended(), every); seq++) {
            long printed = process.printed();
            if (printed > seen) {
                byte[] fresh = process.recent().last(Math.clamp(printed - seen, 0, 4 * OUTPUT_CHARS));
                String output = Excerpt.of(
                        fresh,
                        fresh.length < printed,
                        redactor,
                        process.recent().mode());
                beat(process, every, seq, Excerpt.last(output, OUTPUT_CHARS), printed);
                seen = printed;
            }
        }
    }

    private void beat(BackgroundProcess process, Duration every, int seq, String output, long printed) {
        Map<String, Object> value = common(process, "heartbeat");
        value.put("seq", seq);
        value.put("interval", every.toSeconds());
        value.put("elapsed", process.uptime().toSeconds());
        value.put("output", output);
        tell(process, value, () -> process.told().beat(seq, printed));
    }

    void matched(BackgroundProcess process, String pattern, String lines, int suppressed, long position) {
        process.hit();
        switch (matchLimit()) {
            case MatchLimit.Allowed(int suppressedByAll) -> {
                if (suppressedByAll > 0) {
                    overflow(process, "watch_overflow_released", "Matches are told again.", suppressedByAll);
                }
                Map<String, Object> value = common(process, "watch_match");
                value.put("pattern", pattern);
                value.put("output", lines);
                value.put("suppressed", suppressed);
                tell(process, value, () -> process.told().match(position));
            }
            case MatchLimit.PauseStarts _ -> {
                process.missedMatch();
                overflow(
                        process,
                        "watch_overflow_tripped",
                        "More than " + MOST_AT_ONCE + " matches of all processes in " + AT_ONCE.toSeconds()
                                + " s: none are told for " + PAUSE.toSeconds() + " s.",
                        1);
            }
            case MatchLimit.Paused _ -> process.missedMatch();
        }
    }

    private void overflow(BackgroundProcess process, String type, String message, int suppressedByAll) {
        Map<String, Object> value = common(process, type);
        value.put("message", message);
        value.put("suppressed", suppressedByAll);
        tell(process, value, () -> {});
    }

    /// The limit of matches for all processes together.
    private sealed interface MatchLimit {
        /// The match becomes a notice.
        ///
        /// @param suppressed the number of matches before it without a notice
        record Allowed(int suppressed) implements MatchLimit {}

        /// This match exceeds the limit, and a pause starts.
        record PauseStarts() implements MatchLimit {}

        /// A pause lasts, and the match gets no notice.
        record Paused() implements MatchLimit {}
    }

    private MatchLimit matchLimit() {
        synchronized (matches) {
            long now = nanos.getAsLong();
            if (paused > 0 && now - pausedUntil < 0) {
                paused++;
                return new MatchLimit.Paused();
            }
            int suppressed = paused;
            paused = 0;
            while (!matches.isEmpty() && now - matches.getFirst() > AT_ONCE.toNanos()) {
                matches.removeFirst();
            }
            matches.add(now);
            if (matches.size() <= MOST_AT_ONCE) {
                return new MatchLimit.Allowed(suppressed);
            }
            matches.clear();
            paused = 1;
            pausedUntil = now + PAUSE.toNanos();
            return new MatchLimit.PauseStarts();
        }
    }

    /// Sends a summary of the matches without a notice when a process has ended.
    ///
    /// @param suppressed the number of lines that came too soon after others
    void unwatched(BackgroundProcess process, int suppressed) {
        int all = suppressed + process.missedMatches();
        if (all == 0) {
            return;
        }
        long position = process.printed();
        noMoreMatches(
                process,
                all,
                "The process has ended. Matches in its output that were not told: " + all
                        + ". process(action=\"log\") shows them.",
                () -> process.told().match(position));
    }

    void disabled(BackgroundProcess process, int suppressed, String why) {
        process.notifyAtEnd();
        noMoreMatches(process, suppressed, why, process.told()::noMoreMatches);
    }

    private void noMoreMatches(BackgroundProcess process, int suppressed, String message, Runnable told) {
        Map<String, Object> value = common(process, "watch_disabled");
        value.put("suppressed", suppressed);
        value.put("message", message);
        tell(process, value, told);
    }

    private Map<String, Object> common(BackgroundProcess process, String type) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("type", type);
        value.put("session_id", process.id());
        value.put("command", redactor.redact(process.origin().command(), Redactor.Mode.CODE));
        return value;
    }
}
