package dev.talaria.api;

import java.util.Optional;

/// Answers questions in a person's name: a prompt, a dialog, a rule of the program that embeds Talaria.
///
/// ```java
/// Approver buildOnly = question ->
///         Optional.of(question.subject().equals("rm -rf build") ? Answer.ONCE : Answer.DENY);
/// Engine engine = Engine.builder().approver(buildOnly).build();
/// ```
@FunctionalInterface
public interface Approver {

    /// Returns the answer, waiting for it as long as it takes. The thread is interrupted when an answer is
    /// not wanted any more; an exception means no.
    ///
    /// @return nothing if this approver has nobody to ask about that call; then the next one is asked
    Optional<Answer> ask(Question question) throws InterruptedException;

    /// Returns who answers, for the audit log.
    default String name() {
        return "approver";
    }
}
