package dev.talaria.engine.gate;

import dev.talaria.api.Answer;
import dev.talaria.api.Question;
import dev.talaria.api.Question.Offer;
import dev.talaria.api.Question.Reason;
import dev.talaria.engine.admin.PendingApproval;
import dev.talaria.engine.json.JsonFields;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// A question that nobody could answer when it came, and its later answer.
///
/// @param id names the question; nobody can guess it
/// @param binding a hash of everything that identifies the call: session, tool, arguments, folder
/// @param door the door that the call came through
/// @param subject the command or script as a person should see it
/// @param possible the possible answers, and what is remembered of each
/// @param asked when the question came
/// @param until when the question and its answer become void
/// @param answer the answer, and who gave it
public record StoredQuestion(
        String id,
        String binding,
        String door,
        String session,
        String tool,
        String subject,
        List<Reason> reasons,
        Offers possible,
        Instant asked,
        Instant until,
        Optional<GivenAnswer> answer)
        implements PendingApproval {

    public StoredQuestion {
        reasons = List.copyOf(reasons);
    }

    /// Returns the offer with this answer, if it is possible.
    Optional<Offer> offer(Answer wanted) {
        return offers().stream().filter(offer -> offer.answer() == wanted).findFirst();
    }

    @Override
    public List<Offer> offers() {
        return possible.all();
    }

    @Override
    public String keys() {
        return DecisionTexts.keys(reasons);
    }

    @Override
    public String why() {
        return reasons.stream().map(Reason::why).distinct().collect(Collectors.joining(" "));
    }

    StoredQuestion answered(GivenAnswer given) {
        return new StoredQuestion(
                id, binding, door, session, tool, subject, reasons, possible, asked, until, Optional.of(given));
    }

    static StoredQuestion of(
            Question question, String id, String binding, Offers offers, Instant asked, Instant until) {
        return new StoredQuestion(
                id,
                binding,
                question.call().caller().door(),
                question.call().caller().session(),
                question.call().tool(),
                question.subject(),
                question.reasons(),
                offers,
                asked,
                until,
                Optional.empty());
    }

    /// Returns it as it is stored.
    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("binding", binding);
        json.putAll(shown());
        return json;
    }

    @Override
    public Map<String, Object> shown() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", id);
        json.put("door", door);
        json.put("session", session);
        json.put("tool", tool);
        json.put("subject", subject);
        json.put(
                "reasons",
                reasons.stream()
                        .map(reason -> Map.of("key", reason.key(), "why", reason.why()))
                        .toList());
        json.put("offers", offers().stream().map(this::json).toList());
        json.put("asked", asked.toString());
        json.put("until", until.toString());
        answer.ifPresent(given -> {
            json.put("answer", given.answer().word());
            json.put("by", given.by());
        });
        return json;
    }

    private Map<String, Object> json(Offer offer) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("answer", offer.answer().word());
        json.put("text", offer.text());
        json.put(
                "grants",
                possible.granted(offer.answer()).stream().map(Grant::json).toList());
        return json;
    }

    /// Reads a stored question.
    ///
    /// @throws IllegalArgumentException if the fields are no such question
    static StoredQuestion of(Map<String, Object> json) {
        List<Map<?, ?>> offers = objects(json, "offers");
        Map<Answer, List<Grant>> grants = new LinkedHashMap<>();
        offers.forEach(offer -> grants.put(
                answer(offer), objects(offer, "grants").stream().map(Grant::of).toList()));
        return new StoredQuestion(
                text(json, "id"),
                text(json, "binding"),
                text(json, "door"),
                text(json, "session"),
                text(json, "tool"),
                text(json, "subject"),
                objects(json, "reasons").stream()
                        .map(reason -> new Reason(text(reason, "key"), text(reason, "why")))
                        .toList(),
                new Offers(
                        offers.stream()
                                .map(offer -> new Offer(answer(offer), text(offer, "text")))
                                .toList(),
                        grants),
                instant(json, "asked"),
                instant(json, "until"),
                json.containsKey("answer")
                        ? Optional.of(new GivenAnswer(answer(json), text(json, "by")))
                        : Optional.empty());
    }

    private static Answer answer(Map<?, ?> json) {
        return Answer.of(text(json, "answer"))
                .orElseThrow(() -> new IllegalArgumentException("one of its answers is unknown"));
    }

    private static Instant instant(Map<?, ?> json, String name) {
        try {
            return Instant.parse(text(json, name));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("one of its times cannot be read", e);
        }
    }

    private static String text(Map<?, ?> json, String name) {
        return JsonFields.text(json, name).orElseThrow(() -> new IllegalArgumentException("it has no " + name));
    }

    private static List<Map<?, ?>> objects(Map<?, ?> json, String name) {
        if (!(json.get(name) instanceof List<?> items)) {
            throw new IllegalArgumentException("it has no " + name);
        }
        return items.stream()
                .<Map<?, ?>>map(item -> {
                    if (item instanceof Map<?, ?> fields) {
                        return fields;
                    }
                    throw new IllegalArgumentException("one of its " + name + " is no object");
                })
                .toList();
    }
}
