package dev.talaria.api;

import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Asks whether a call may be done.
///
/// @param id names the question, for doors that answer it later
/// @param call what wants to be done
/// @param subject the command or script as a person should see it: secrets masked, nothing invisible in it
/// @param reasons why it is asked
/// @param answers what may be answered
/// @param until when silence becomes a no
public record Question(
        String id, ToolCall call, String subject, List<Reason> reasons, Set<Answer> answers, Instant until) {

    /// One thing that is dangerous about a call.
    ///
    /// @param key what is remembered of an answer
    /// @param why a sentence for people
    public record Reason(String key, String why) {}

    public Question {
        reasons = List.copyOf(reasons);
        answers = Collections.unmodifiableSet(EnumSet.copyOf(answers));
    }

    /// Returns the keys of all reasons, as one text.
    public String keys() {
        return reasons.stream().map(Reason::key).collect(Collectors.joining("; "));
    }

    /// Returns the sentences of all reasons, as one text.
    public String why() {
        return reasons.stream().map(Reason::why).distinct().collect(Collectors.joining(" "));
    }
}
