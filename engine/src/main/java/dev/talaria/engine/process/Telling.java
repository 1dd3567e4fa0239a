package dev.talaria.engine.process;

import dev.talaria.api.CallEvent;
import dev.talaria.engine.clean.Excerpt;
import dev.talaria.engine.clean.Redactor;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/// Makes notices of what happens to processes: their end, texts in their output, and new output now and then.
final class Telling {
    static final int OUTPUT_CHARS = 2000;
    private static final int MOST_AT_ONCE = 15;
    private static final Duration AT_ONCE = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofSeconds(30);

    private final Notices notices;
    private final Redactor redactor;
    private final LongSupplier nanos;
    private final Deque<Long> matches = new ArrayDeque<>(); // this and the next two: guarded by matches
    private long pausedUntil;
    private int paused;

    Telling(Notices notices, Redactor redactor, LongSupplier nanos) {
        this.notices = notices;
        this.redactor = redactor;
        this.nanos = nanos;
    }

    /// Tells from now on what the process's flags ask for.
    void follow(BackgroundProcess process) {
        var _ = process.ended().thenAccept(how -> {
            if (process.notifies()) {
                completion(process, how);
            }
        });
        process.origin()
                .flags()
                .heartbeat()
                .ifPresent(
                        every -> Thread.ofVirtual().name("process-heartbeat").start(() -> heartbeat(process, every)));
    }

    private void completion(BackgroundProcess process, Ended how) {
        Map<String, Object> value = common(process, "completion");
        value.put("exit_code", how.exitCode());
        value.put("completion_reason", how.reason().word());
        how.source().ifPresent(source -> value.put("termination_source", source));
        String output = process.recent().tail(OUTPUT_CHARS);
        value.put("output", output);
        value.put("started_at", process.origin().started().toString());
        String status = switch (how.reason()) {
            case EXITED -> how.exitCode() == 0 ? "completed normally" : "exited";
            case KILLED -> "terminated by " + how.source().orElse("a kill");
            case LOST -> "was lost with its sandbox";
            case FAILED_START -> "could not be started";
        };
        value.put(
                "message",
                "[IMPORTANT: Background process " + process.id() + " " + status + " (exit code "
                        + how.exitCode() + (how.exitCode() == -15 || how.exitCode() == 143 ? ", SIGTERM" : "")
                        + ").\nCommand: "
                        + value.get("command") + "\nOutput:\n" + output + "]");
        notices.add(new CallEvent.Notice(process.origin().call(), process.id(), value));
    }

    /// Runs in a thread of its own until the process ends.
    private void heartbeat(BackgroundProcess process, Duration every) {
        long seen = 0;
        for (int seq = 1; ; seq++) {
            try {
                process.ended().get(every.toNanos(), TimeUnit.NANOSECONDS);
                return;
            } catch (TimeoutException e) {
                long total = process.recent().total();
                if (total > seen) {
                    byte[] fresh = process.recent().since(seen, 4 * OUTPUT_CHARS);
                    beat(
                            process,
                            every,
                            seq,
                            Excerpt.last(
                                    Excerpt.of(
                                            fresh,
                                            fresh.length < total,
                                            redactor,
                                            process.recent().mode()),
                                    OUTPUT_CHARS));
                    seen = total;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (ExecutionException e) {
                return;
            }
        }
    }

    private void beat(BackgroundProcess process, Duration every, int seq, String output) {
        Map<String, Object> value = common(process, "heartbeat");
        value.put("seq", seq);
        value.put("interval", every.toSeconds());
        value.put("elapsed", process.uptime().toSeconds());
        value.put("output", output);
        notices.add(new CallEvent.Notice(process.origin().call(), process.id(), value));
    }

    void matched(BackgroundProcess process, String pattern, String lines, int suppressed) {
        process.hit();
        switch (breaker()) {
            case CLOSED -> {
                Map<String, Object> value = common(process, "watch_match");
                value.put("pattern", pattern);
                value.put("output", lines);
                value.put("suppressed", suppressed);
                notices.add(new CallEvent.Notice(process.origin().call(), process.id(), value));
            }
            case TRIPS -> {
                Map<String, Object> value = common(process, "watch_overflow_tripped");
                value.put(
                        "message",
                        "More than " + MOST_AT_ONCE + " matches in " + AT_ONCE.toSeconds() + " s: none are told for "
                                + PAUSE.toSeconds() + " s.");
                notices.add(new CallEvent.Notice(process.origin().call(), process.id(), value));
            }
            case OPEN -> {}
        }
    }

    private enum Breaker {
        CLOSED,
        TRIPS,
        OPEN
    }

    private Breaker breaker() {
        synchronized (matches) {
            long now = nanos.getAsLong();
            if (paused > 0 && now - pausedUntil < 0) {
                paused++;
                return Breaker.OPEN;
            }
            paused = 0;
            while (!matches.isEmpty() && now - matches.getFirst() > AT_ONCE.toNanos()) {
                matches.removeFirst();
            }
            matches.add(now);
            if (matches.size() <= MOST_AT_ONCE) {
                return Breaker.CLOSED;
            }
            matches.clear();
            paused = 1;
            pausedUntil = now + PAUSE.toNanos();
            return Breaker.TRIPS;
        }
    }

    void disabled(BackgroundProcess process, int suppressed, String why) {
        process.notifyAtEnd();
        Map<String, Object> value = common(process, "watch_disabled");
        value.put("suppressed", suppressed);
        value.put("message", why);
        notices.add(new CallEvent.Notice(process.origin().call(), process.id(), value));
    }

    private Map<String, Object> common(BackgroundProcess process, String type) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("type", type);
        value.put("session_id", process.id());
        value.put("command", redactor.redact(process.origin().command(), Redactor.Mode.CODE));
        return value;
    }
}
