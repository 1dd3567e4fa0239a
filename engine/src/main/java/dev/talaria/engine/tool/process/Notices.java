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

/// The notices for sessions. Each notice is delivered once: a listener gets it at once, or it waits for the
/// session's next result.
public final class Notices {
    private static final int MOST_KEPT = 100;
    private static final String ANYONE = "\0anyone"; // no session's name

    private final NoticeSettings settings;
    private final Predicate<CallEvent.Notice> push;
    private final Map<String, Integer> pushed = new ConcurrentHashMap<>(); // the number for each session
    private final Map<String, Integer> dropped = new HashMap<>(); // guarded by this
    private final Map<String, Deque<WaitingNotice>> waiting = new HashMap<>(); // guarded by this

    /// @param told runs after the notice was delivered
    private record WaitingNotice(CallEvent.Notice notice, Runnable told) {}

    /// Makes an empty store.
    ///
    /// @param push shows a notice to the listeners; returns whether one of them took it
    public Notices(NoticeSettings settings, Predicate<CallEvent.Notice> push) {
        this.settings = settings;
        this.push = push;
    }

    /// Returns which notices are sent at all.
    NoticePolicy policy() {
        return settings.policy();
    }

    /// Delivers a notice, or keeps it for the session's next result.
    ///
    /// @param anyone whether any session may get it: its own session may never come back
    /// @param told runs after the notice was delivered
    /// @param known returns whether the session has learned of it already, so that nothing need wait
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

    /// Returns the waiting notices of a session, and removes them.
    public synchronized List<Map<String, Object>> take(String session) {
        if (waiting.isEmpty()) {
            return List.of(); // the usual case
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

    /// Removes the waiting notices about a process: its session has seen its end itself.
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
