package dev.talaria.engine.decide;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// What people have allowed: for a session, or for good.
final class Memory {
    private final StoredApprovals stored;
    private final InstantSource clock;
    private final Map<String, Set<String>> sessions = new ConcurrentHashMap<>();

    Memory(StoredApprovals stored, InstantSource clock) {
        this.stored = stored;
        this.clock = clock;
    }

    /// Returns those of the keys that nobody has allowed.
    List<String> open(String session, List<String> keys) {
        Set<String> here = sessions.getOrDefault(session, Set.of());
        List<String> left = keys.stream().filter(key -> !here.contains(key)).toList();
        if (left.isEmpty()) {
            return left;
        }
        Set<String> forGood = stored.keys();
        return left.stream().filter(key -> !forGood.contains(key)).toList();
    }

    void session(String session, List<String> keys) {
        sessions.computeIfAbsent(session, _ -> ConcurrentHashMap.newKeySet()).addAll(keys);
    }

    void always(List<String> keys, String example, String by) {
        stored.add(keys, example, by, clock.instant());
    }
}
