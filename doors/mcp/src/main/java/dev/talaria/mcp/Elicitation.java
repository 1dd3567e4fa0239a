package dev.talaria.mcp;

import dev.talaria.api.Answer;
import dev.talaria.api.Approver;
import dev.talaria.api.Caller;
import dev.talaria.api.Question;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

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

    private static Map<String, Object> params(Question question) {
        String message = "Talaria needs your approval (" + question.keys() + "): " + question.why() + "\n\n"
                + question.subject();
        List<String> words =
                question.answers().stream().sorted().map(Elicitation::word).toList();
        Map<String, Object> answer = Map.of(
                "type",
                "string",
                "title",
                "Answer",
                "description",
                words.stream().map(Elicitation::meaning).collect(Collectors.joining("; ")),
                "enum",
                words);
        return Map.of(
                "message",
                message,
                "requestedSchema",
                Map.of("type", "object", "properties", Map.of("answer", answer), "required", List.of("answer")));
    }

    private static String word(Answer answer) {
        return answer.name().toLowerCase(Locale.ROOT);
    }

    private static String meaning(String word) {
        return word + ": "
                + switch (word) {
                    case "once" -> "this time";
                    case "session" -> "and the like, until this client goes";
                    case "always" -> "and the like, until you revoke it with talaria approvals";
                    default -> "no";
                };
    }

    /// Only a clear yes is one.
    private static Answer answer(Map<String, Object> result) {
        Object chosen = Inbound.object(result.get("content")).get("answer");
        if (!"accept".equals(result.get("action")) || !(chosen instanceof String word)) {
            return Answer.DENY;
        }
        return List.of(Answer.values()).stream()
                .filter(answer -> word(answer).equals(word))
                .findFirst()
                .orElse(Answer.DENY);
    }
}
