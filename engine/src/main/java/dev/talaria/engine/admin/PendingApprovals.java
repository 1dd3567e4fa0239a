package dev.talaria.engine.admin;

import dev.talaria.api.Answer;
import dev.talaria.api.Caller;
import dev.talaria.api.Question.Offer;
import java.io.UncheckedIOException;
import java.util.List;

/// The questions that nobody could answer when they came. An answer counts once, for the same call, until the
/// question's time is over.
///
/// ```java
/// for (PendingApproval question : engine.approvals().pending().waiting()) {
///     System.out.println(question.subject() + ": " + question.why());
///     engine.approvals().answer(question.id(), Answer.ONCE);
/// }
/// ```
public interface PendingApprovals {

    /// Returns the questions that wait for an answer, and the answered ones that wait for their call.
    ///
    /// @throws UncheckedIOException if the folder of the questions cannot be trusted; the message says why
    Listing pending();

    /// Answers a question in the name of the program that uses this engine.
    default Reply answer(String id, Answer answer) {
        return answer(id, answer, Caller.java(), "java");
    }

    /// Answers a question.
    ///
    /// @param id the question's id, or its beginning
    /// @param answer the answer
    /// @param caller the door and session that the answer came through, for the audit log
    /// @param by the name of the approver
    Reply answer(String id, Answer answer, Caller caller, String by);

    /// A list of the questions.
    ///
    /// @param waiting the questions, oldest first, with the answered ones that wait for their call
    /// @param leftAlone a sentence for each other file in the folder of the questions
    record Listing(List<PendingApproval> waiting, List<String> leftAlone) {
        public Listing {
            waiting = List.copyOf(waiting);
            leftAlone = List.copyOf(leftAlone);
        }
    }

    /// The result of an answer.
    sealed interface Reply {
        /// The answer counts.
        record Accepted(PendingApproval question, Offer offer) implements Reply {}

        /// No question with this id waits, or several ids begin like this.
        record Unknown() implements Reply {}

        /// Somebody else had answered the question before.
        record AlreadyAnswered(PendingApproval question) implements Reply {}

        /// The question does not offer this answer.
        record NotOffered(PendingApproval question) implements Reply {}
    }
}
