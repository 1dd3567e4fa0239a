package dev.talaria.engine.gate;

import dev.talaria.api.Answer;
import dev.talaria.api.Question.Offer;
import dev.talaria.api.Question.Reason;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// The possible answers to a question, with the grants that each answer creates. The words of an
/// offer are made from its grants, so that a person reads what will be remembered.
///
/// @param all the offers, the narrowest yes first
/// @param grants what is remembered of each answer; answers that are not in it leave nothing
record Offers(List<Offer> all, Map<Answer, List<Grant>> grants) {
    private static final String SESSION = ", until the session ends";
    private static final String ALWAYS = ", from now on";

    /// Rules about commands whose only damage is to the paths that they change, and whose paths are
    /// always known. Rules about paths need no entry here.
    static final Set<String> ABOUT_PATHS = Set.of(
            "delete in root path",
            "recursive delete",
            "recursive delete (long flag)",
            "recursive delete (flags after operands)",
            "overwrite project env/config via tee",
            "overwrite project env/config via redirection");

    Offers {
        all = List.copyOf(all);
        grants = Map.copyOf(grants);
    }

    /// Returns the offers for a question.
    ///
    /// @param aboutPaths the keys of rules whose only damage is to the paths that a command changes
    static Offers of(QuestionScope scope, List<Reason> reasons, Set<String> aboutPaths) {
        Map<Answer, List<Grant>> grants = new EnumMap<>(Answer.class);
        List<Offer> all = new ArrayList<>();
        all.add(new Offer(Answer.ONCE, "this call alone"));
        List<String> keys = reasons.stream().map(Reason::key).distinct().toList();
        scope.spot().ifPresent(spot -> {
            add(
                    all,
                    grants,
                    Answer.SESSION,
                    Answer.ALWAYS,
                    List.of(new Grant.Command(scope.what(), scope.sha256(), spot)));
            boolean below = aboutPaths.containsAll(keys)
                    && scope.changes().filter(changes -> changes.below(spot)).isPresent();
            if (below) {
                List<Grant> allowed = keys.stream()
                        .<Grant>map(key -> new Grant.Below(key, spot))
                        .toList();
                add(all, grants, Answer.SESSION_FOLDER, Answer.ALWAYS_FOLDER, allowed);
            }
        });
        if (reasons.stream().noneMatch(QuestionScope::unclear)) {
            List<Grant> allowed = keys.stream().<Grant>map(Grant.Kind::new).toList();
            add(all, grants, Answer.SESSION_KIND, Answer.ALWAYS_KIND, allowed);
        }
        all.add(new Offer(Answer.DENY, "no"));
        return new Offers(all, grants);
    }

    private static void add(
            List<Offer> all, Map<Answer, List<Grant>> grants, Answer session, Answer always, List<Grant> scope) {
        String words = scope.stream().map(Grant::words).collect(Collectors.joining(", and "));
        all.add(new Offer(session, words + SESSION));
        all.add(new Offer(always, words + ALWAYS));
        grants.put(session, scope);
        grants.put(always, scope);
    }

    /// Returns the grants that an answer creates.
    List<Grant> granted(Answer answer) {
        return grants.getOrDefault(answer, List.of());
    }

    /// Returns whether the same answer is offered in the same words.
    boolean has(Offer offer) {
        return all.contains(offer);
    }

    /// The time that an answer counts for.
    enum Span {
        CALL,
        SESSION,
        ALWAYS,
        NEVER
    }

    static Span span(Answer answer) {
        return switch (answer) {
            case ONCE -> Span.CALL;
            case SESSION, SESSION_FOLDER, SESSION_KIND -> Span.SESSION;
            case ALWAYS, ALWAYS_FOLDER, ALWAYS_KIND -> Span.ALWAYS;
            case DENY -> Span.NEVER;
        };
    }
}
