package dev.talaria.engine.admin;

import dev.talaria.api.Answer;
import dev.talaria.api.Caller;
import dev.talaria.api.Question.Offer;
import java.io.UncheckedIOException;
import java.util.List;

/// The questions that nobody could be asked when they came. An answer counts once, for the same call, until the
/// question's time is over.
///
/// ```java
/// for (PendingApproval question : engine.approvals().pending().waiting()) {
///     System.out.println(question.subject() + ": " + question.why());
///     engine.approvals().answer(question.id(), Answer.ONCE);
/// }
/// ```
public interface PendingApprovals {

    /// Returns the questions that wait for an answer or, answered, for their call.
    ///
    /// @throws UncheckedIOException if their folder is not to be trusted; the message says why
    Listing pending();

    /// Answers a question in the name of the program that this engine is part of.
    default Reply answer(String id, Answer answer) {
        return answer(id, answer, Caller.java(), "java");
    }

    /// Answers a question.
    ///
    /// @param id its id, or the beginning of it
    /// @param caller who says so, for the audit log
    /// @param by in whose name
    Reply answer(String id, Answer answer, Caller caller, String by);

    /// The questions that are there.
    ///
    /// @param waiting the questions, oldest first, answered ones that wait for their call among them
    /// @param leftAlone what else lies in their folder, a sentence each
    record Listing(List<PendingApproval> waiting, List<String> leftAlone) {
        public Listing {
            waiting = List.copyOf(waiting);
            leftAlone = List.copyOf(leftAlone);
        }
    }

    /// What came of an answer.
    sealed interface Reply {
        /// It counts.
        record Accepted(PendingApproval question, Offer offer) implements Reply {}

        /// No question with this id waits (any more), or several begin so.
        record Unknown() implements Reply {}

        /// Somebody was quicker.
        record AlreadyAnswered(PendingApproval question) implements Reply {}

        /// This is none of the answers that may be given.
        record NotOffered(PendingApproval question) implements Reply {}
    }
}
