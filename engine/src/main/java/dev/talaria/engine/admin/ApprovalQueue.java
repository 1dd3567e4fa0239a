package dev.talaria.engine.admin;

import dev.talaria.api.Answer;
import dev.talaria.api.Approver;
import dev.talaria.api.Question;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/// Holds questions until somebody answers them by their ids, for doors that show questions and take answers
/// separately while the call waits. Any number of questions can be open, and they can be answered in any order.
/// Questions of calls that do not wait are in {@link PendingApprovals}.
///
/// ```java
/// ApprovalQueue queue = new ApprovalQueue("web");
/// Engine engine = Engine.builder().approver(queue).build();
/// for (Question question : queue.open()) {
///     System.out.println(question.id() + ": " + question.subject());
///     queue.answer(question.id(), Answer.DENY);
/// }
/// ```
public final class ApprovalQueue implements Approver {
    private final String name;
    private final Map<String, Waiting> waiting = new ConcurrentHashMap<>();

    private record Waiting(Question question, CompletableFuture<Answer> answer) {}

    /// Makes an empty queue.
    ///
    /// @param name the name of the approver in the audit log
    public ApprovalQueue(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    /// Returns the questions that wait for an answer, the most urgent first.
    public List<Question> open() {
        return waiting.values().stream()
                .map(Waiting::question)
                .sorted(Comparator.comparing(Question::until))
                .toList();
    }

    /// Answers a question. Returns false if no such question waits for an answer.
    public boolean answer(String id, Answer answer) {
        Waiting one = waiting.get(id);
        return one != null && one.answer().complete(answer);
    }

    @Override
    public Optional<Answer> ask(Question question) throws InterruptedException {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        waiting.put(question.id(), new Waiting(question, answer));
        try {
            return Optional.of(answer.get());
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            waiting.remove(question.id());
        }
    }
}
