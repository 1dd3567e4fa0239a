package dev.talaria.engine.tool.process;

import dev.talaria.api.CallEvent;
import dev.talaria.engine.config.NoticePolicy;
import dev.talaria.engine.config.NoticeSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/// What sessions are to be told without having asked. Each notice is told once: pushed where somebody takes
/// it, kept for the session's next result otherwise.
public final class Notices {
    private static final int MOST_KEPT = 100;
    private static final String ANYONE = "\0anyone"; // no session's name

    private final NoticeSettings settings;
    private final Predicate<CallEvent.Notice> push;
    private final Map<String, Integer> pushed = new ConcurrentHashMap<>(); // how many each session was sent
    private final Map<String, Integer> dropped = new HashMap<>(); // guarded by this
    private final Map<String, Deque<WaitingNotice>> waiting = new HashMap<>(); // guarded by this

    /// @param told to be done when it has been told
    private record WaitingNotice(CallEvent.Notice notice, Runnable told) {}

    /// Makes an empty store.
    ///
    /// @param push shows a notice to whoever listens; returns whether that was enough
    public Notices(NoticeSettings settings, Predicate<CallEvent.Notice> push) {
        this.settings = settings;
        this.push = push;
    }

    /// Returns what is told at all.
    NoticePolicy policy() {
        return settings.policy();
    }

    /// Tells, or keeps to be told.
    ///
    /// @param anyone whether any session may hear it: the one that it is for may never come back
    /// @param told to be done when it has been told
    /// @param known whether its session knows by now, so that it need not be kept
    void add(CallEvent.Notice notice, boolean anyone, Runnable told, BooleanSupplier known) {
        if (settings.policy() == NoticePolicy.OFF) {
            return;
        }
        String session = notice.call().caller().session();
        if (pushed.getOrDefault(session, 0) < settings.pushed() && push.test(notice)) {
            pushed.merge(session, 1, Integer::sum);
            told.run();
            return;
        }
        synchronized (this) {
            if (known.getAsBoolean()) {
                return;
            }
            String whose = anyone ? ANYONE : session;
            Deque<WaitingNotice> kept = waiting.computeIfAbsent(whose, _ -> new ArrayDeque<>());
            kept.add(new WaitingNotice(notice, told));
            if (kept.size() > MOST_KEPT) {
                kept.removeFirst();
                dropped.merge(whose, 1, Integer::sum);
            }
        }
    }

    /// Returns what a session has not been told yet, and forgets it.
    public synchronized List<Map<String, Object>> take(String session) {
        if (waiting.isEmpty()) {
            return List.of(); // nearly always
        }
        List<Map<String, Object>> values = new ArrayList<>();
        for (String whose : List.of(ANYONE, session)) {
            Deque<WaitingNotice> kept = waiting.remove(whose);
            Optional.ofNullable(dropped.remove(whose)).ifPresent(count -> values.add(dropped(count)));
            if (kept != null) {
                kept.forEach(one -> {
                    one.told.run();
                    values.add(one.notice.value());
                });
            }
        }
        return values;
    }

    private static Map<String, Object> dropped(int count) {
        return Map.of(
                "type",
                "notices_dropped",
                "count",
                count,
                "message",
                "More came than are kept: the oldest " + count
                        + " are not shown. process(action=\"list\") shows how every process is.");
    }

    /// Forgets what is still to be told about a process: its session has seen for itself.
    synchronized void forget(String session, String process) {
        for (String whose : List.of(ANYONE, session)) {
            var _ = waiting.computeIfPresent(whose, (_, kept) -> {
                kept.removeIf(one -> {
                    boolean about = one.notice.process().equals(process);
                    if (about) {
                        one.told.run();
                    }
                    return about;
                });
                return kept.isEmpty() ? null : kept;
            });
        }
    }
}
