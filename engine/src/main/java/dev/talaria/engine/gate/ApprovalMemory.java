package dev.talaria.engine.gate;

import dev.talaria.api.Question.Reason;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Remembers what people have allowed: for a session, or until it is revoked.
final class ApprovalMemory {
    private final StoredApprovals stored;
    private final InstantSource clock;
    private final Map<String, Set<Grant>> sessions = new ConcurrentHashMap<>();

    ApprovalMemory(StoredApprovals stored, InstantSource clock) {
        this.stored = stored;
        this.clock = clock;
    }

    /// Returns the reasons that nobody has allowed yet.
    List<Reason> open(String session, QuestionScope scope, List<Reason> reasons) {
        List<Reason> left = left(sessions.getOrDefault(session, Set.of()), scope, reasons);
        return left.isEmpty() ? left : left(stored.grants(), scope, left);
    }

    private static List<Reason> left(Set<Grant> grants, QuestionScope scope, List<Reason> reasons) {
        return reasons.stream()
                .filter(reason -> grants.stream().noneMatch(grant -> scope.covered(grant, reason)))
                .toList();
    }

    void session(String session, List<Grant> grants) {
        sessions.computeIfAbsent(session, _ -> ConcurrentHashMap.newKeySet()).addAll(grants);
    }

    void always(List<Grant> grants, String example, String by) {
        stored.add(grants, example, by, clock.instant());
    }
}
