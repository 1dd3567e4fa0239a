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

    private final Predicate<CallEvent.Notice> push;
    private final Map<String, Deque<CallEvent.Notice>> waiting = new HashMap<>(); // guarded by this

    /// Makes an empty store.
    ///
    /// @param push shows a notice to whoever listens; returns whether that was enough
    public Notices(Predicate<CallEvent.Notice> push) {
        this.push = push;
    }

    void add(CallEvent.Notice notice) {
        if (push.test(notice)) {
            return;
        }
        synchronized (this) {
            Deque<CallEvent.Notice> kept =
                    waiting.computeIfAbsent(notice.call().caller().session(), _ -> new ArrayDeque<>());
            kept.add(notice);
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
        Deque<CallEvent.Notice> kept = waiting.remove(session);
        List<Map<String, Object>> values = new ArrayList<>();
        if (kept != null) {
            kept.forEach(notice -> values.add(notice.value()));
        }
        return values;
    }

    /// Forgets what is still to be told about a process: its session has seen for itself.
    synchronized void forget(String session, String process) {
        Deque<CallEvent.Notice> kept = waiting.get(session);
        if (kept != null && kept.removeIf(notice -> notice.process().equals(process)) && kept.isEmpty()) {
            waiting.remove(session);
        }
    }
}
