package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Answer;
import dev.talaria.api.Caller;
import dev.talaria.api.Question;
import dev.talaria.api.ToolCall;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// One answer may count for several waiting questions.
final class TerminalApproverTest {
    private static Question question(String matter) {
        return new Question(
                "id",
                ToolCall.of(new Caller("test", "one"), "terminal", Map.of("command", "sh")),
                "sh",
                List.of(new Question.Reason("recursive delete", "It deletes.")),
                List.of(
                        new Question.Offer(Answer.ONCE, "this call alone"),
                        new Question.Offer(Answer.SESSION, "this very command in /srv"),
                        new Question.Offer(Answer.SESSION_KIND, "every recursive delete"),
                        new Question.Offer(Answer.DENY, "no")),
                Instant.EPOCH,
                matter);
    }

    private static List<Answer> shared(String one, String other) {
        List<TerminalApprover.Topic> known =
                TerminalApprover.topics(question(one)).toList();
        return TerminalApprover.topics(question(other))
                .filter(known::contains)
                .map(topic -> topic.offer().answer())
                .toList();
    }

    @Test
    void whatLooksTheSameIsNotTheSame() {
        assertThat(shared("a", "a")).containsExactly(Answer.SESSION, Answer.SESSION_KIND);
        assertThat(shared("a", "b")).containsExactly(Answer.SESSION_KIND);
        assertThat(shared("", "")).containsExactly(Answer.SESSION_KIND);
    }
}
