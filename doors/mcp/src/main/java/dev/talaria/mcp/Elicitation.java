package dev.talaria.mcp;

import dev.talaria.api.Answer;
import dev.talaria.api.Approver;
import dev.talaria.api.Caller;
import dev.talaria.api.Question;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Asks the person behind an MCP client, where the client can do that (`elicitation/create`).
final class Elicitation implements Approver {
    private final ClientRequests client;
    private final Caller caller;

    /// Asks about calls of this caller alone: another client's are not this person's to decide.
    Elicitation(ClientRequests client, Caller caller) {
        this.client = client;
        this.caller = caller;
    }

    @Override
    public String name() {
        return "mcp client";
    }

    @Override
    public Optional<Answer> ask(Question question) throws InterruptedException {
        if (!question.call().caller().equals(caller) || !client.clientHas("elicitation")) {
            return Optional.empty();
        }
        Optional<Map<String, Object>> result = client.ask("elicitation/create", params(question));
        return Optional.of(result.map(Elicitation::answer).orElse(Answer.DENY));
    }

    /// What each answer allows is in the message, too: not every client shows the descriptions of a form.
    private static Map<String, Object> params(Question question) {
        List<String> words =
                question.offers().stream().map(offer -> offer.answer().word()).toList();
        List<String> meanings = question.offers().stream()
                .map(offer -> offer.answer().word() + ": " + offer.text())
                .toList();
        String message = "Talaria needs your approval (" + question.keys() + "): " + question.why() + "\n\n"
                + question.subject() + "\n\n" + String.join("\n", meanings);
        Map<String, Object> answer = Map.of(
                "type",
                "string",
                "title",
                "Answer",
                "description",
                String.join("; ", meanings),
                "enum",
                words,
                "enumNames",
                meanings);
        return Map.of(
                "message",
                message,
                "requestedSchema",
                Map.of("type", "object", "properties", Map.of("answer", answer), "required", List.of("answer")));
    }

    /// Only a clear yes is one.
    private static Answer answer(Map<String, Object> result) {
        Object chosen = Inbound.object(result.get("content")).get("answer");
        return "accept".equals(result.get("action")) && chosen instanceof String word
                ? Answer.of(word).orElse(Answer.DENY)
                : Answer.DENY;
    }
}
