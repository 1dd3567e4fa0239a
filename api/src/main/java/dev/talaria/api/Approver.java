package dev.talaria.api;

import java.util.Optional;

/// Answers questions in a person's name: a prompt, a dialog, a rule of the program that embeds Talaria.
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
