package dev.talaria.engine.admin;

import dev.talaria.api.Answer;
import dev.talaria.api.Question.Offer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A question that nobody could be asked when it came, and its answer.
public interface PendingApproval {

    /// Returns its name, which nobody can guess.
    String id();

    /// Returns the door that the call came through.
    String door();

    /// Returns the session of the call.
    String session();

    /// Returns the command or script as a person should see it.
    String subject();

    /// Returns the names of the rules that ask.
    String keys();

    /// Returns why it is asked about, in sentences.
    String why();

    /// Returns what may be answered, the narrowest yes first.
    List<Offer> offers();

    /// Returns when the question and its answer are void.
    Instant until();

    /// Returns what was answered, and by whom.
    Optional<GivenAnswer> answer();

    /// Returns what may be seen of it, for machines.
    Map<String, Object> shown();

    /// An answer.
    ///
    /// @param by who gave it
    record GivenAnswer(Answer answer, String by) {}
}
