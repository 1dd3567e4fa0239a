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

    /// Waits for an answer and returns it. The engine interrupts the thread when it no longer needs an answer.
    /// An exception means no.
    ///
    /// @return empty if this approver has nobody to ask about the call; the engine then asks the next approver
    Optional<Answer> ask(Question question) throws InterruptedException;

    /// Returns the name of the person or program that answers, for the audit log.
    default String name() {
        return "approver";
    }
}
