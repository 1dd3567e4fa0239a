package dev.talaria.engine.admin;

import dev.talaria.api.Answer;
import dev.talaria.api.Question.Offer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A question that nobody could answer when it came, with its later answer.
public interface PendingApproval {

    /// Returns the question's id, which nobody can guess.
    String id();

    /// Returns the door that the call came through.
    String door();

    /// Returns the session of the call.
    String session();

    /// Returns the command or script as a person should see it.
    String subject();

    /// Returns the names of the rules that ask.
    String keys();

    /// Returns the reasons of the question, in sentences.
    String why();

    /// Returns the possible answers, the narrowest yes first.
    List<Offer> offers();

    /// Returns the time after which the question and its answer no longer count.
    Instant until();

    /// Returns the answer and its approver; empty if nobody has answered.
    Optional<GivenAnswer> answer();

    /// Returns the question as a JSON object, without what must stay secret.
    Map<String, Object> shown();

    /// An answer that somebody gave.
    ///
    /// @param answer the answer
    /// @param by the name of the approver
    record GivenAnswer(Answer answer, String by) {}
}
