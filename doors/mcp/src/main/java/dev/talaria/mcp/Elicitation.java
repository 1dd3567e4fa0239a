package dev.talaria.mcp;

import dev.talaria.api.Answer;
import dev.talaria.api.Approver;
import dev.talaria.api.Caller;
import dev.talaria.api.Question;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Asks the person behind an MCP client, if the client supports it (`elicitation/create`).
final class Elicitation implements Approver {
    private final ClientRequests client;
    private final Caller caller;

    /// Asks only about calls of this caller: this person does not decide about another client's calls.
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

    /// Returns the form. Its message also explains each answer: not every client shows the descriptions of a
    /// form.
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

    /// Returns the answer. Only a clear yes counts as one.
    private static Answer answer(Map<String, Object> result) {
        Object chosen = Inbound.object(result.get("content")).get("answer");
        return "accept".equals(result.get("action")) && chosen instanceof String word
                ? Answer.of(word).orElse(Answer.DENY)
                : Answer.DENY;
    }
}
