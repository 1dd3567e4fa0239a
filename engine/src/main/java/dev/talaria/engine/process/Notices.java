package dev.talaria.engine.process;

import dev.talaria.api.CallEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// What sessions are to be told without having asked. Each notice is told once: pushed where somebody takes
/// it, kept for the session's next result otherwise.
public final class Notices {
    private static final int MOST_KEPT = 100;
    private static final String ANYONE = "\0anyone"; // no session's name

    private final Predicate<CallEvent.Notice> push;
    private final Map<String, Deque<Waiting>> waiting = new HashMap<>(); // guarded by this

    /// @param told to be done when it has been told
    private record Waiting(CallEvent.Notice notice, Runnable told) {}

    /// Makes an empty store.
    ///
    /// @param push shows a notice to whoever listens; returns whether that was enough
    public Notices(Predicate<CallEvent.Notice> push) {
        this.push = push;
    }

    /// Tells, or keeps to be told.
    ///
    /// @param anyone whether any session may hear it: the one that it is for may never come back
    /// @param told to be done when it has been told
    void add(CallEvent.Notice notice, boolean anyone, Runnable told) {
        if (push.test(notice)) {
            told.run();
            return;
        }
        synchronized (this) {
            Deque<Waiting> kept = waiting.computeIfAbsent(
                    anyone ? ANYONE : notice.call().caller().session(), _ -> new ArrayDeque<>());
            kept.add(new Waiting(notice, told));
            if (kept.size() > MOST_KEPT) {
                kept.removeFirst();
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
            Deque<Waiting> kept = waiting.remove(whose);
            if (kept != null) {
                kept.forEach(one -> {
                    one.told.run();
                    values.add(one.notice.value());
                });
            }
        }
        return values;
    }

    /// Forgets what is still to be told about a process: its session has seen for itself.
    synchronized void forget(String session, String process) {
        for (String whose : List.of(ANYONE, session)) {
            Deque<Waiting> kept = waiting.get(whose);
            if (kept == null) {
                continue;
            }
            kept.removeIf(one -> {
                boolean about = one.notice.process().equals(process);
                if (about) {
                    one.told.run();
                }
                return about;
            });
            if (kept.isEmpty()) {
                waiting.remove(whose);
            }
        }
    }
}
