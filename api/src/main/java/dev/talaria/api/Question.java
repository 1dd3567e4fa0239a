package dev.talaria.api;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Asks whether a call may be done.
///
/// @param id names the question, for doors that answer it later
/// @param call what wants to be done
/// @param subject the command or script as a person should see it: secrets masked, nothing invisible in it
/// @param reasons why it is asked
/// @param offers what may be answered, the narrowest yes first
/// @param until when silence becomes a no
/// @param matter the same for two questions only if they are about the very same thing, whatever is shown of it; empty
///     means that this one is like no other
public record Question(
        String id,
        ToolCall call,
        String subject,
        List<Reason> reasons,
        List<Offer> offers,
        Instant until,
        String matter) {

    /// Makes a question that is the same as no other.
    public Question(String id, ToolCall call, String subject, List<Reason> reasons, List<Offer> offers, Instant until) {
        this(id, call, subject, reasons, offers, until, "");
    }

    /// One thing that is dangerous about a call.
    ///
    /// @param key names the kind of danger
    /// @param why a sentence for people
    public record Reason(String key, String why) {}

    /// One thing that may be answered.
    ///
    /// @param text what that allows, in words: it allows this and no more
    public record Offer(Answer answer, String text) {}

    public Question {
        reasons = List.copyOf(reasons);
        offers = offers.stream().sorted(Comparator.comparing(Offer::answer)).toList();
    }

    /// Returns what may be answered.
    public Set<Answer> answers() {
        return offers.stream().map(Offer::answer).collect(Collectors.toUnmodifiableSet());
    }

    /// Returns what an answer allows, if it may be given.
    public Optional<Offer> offer(Answer answer) {
        return offers.stream().filter(offer -> offer.answer() == answer).findFirst();
    }

    /// Returns the keys of all reasons, as one text.
    public String keys() {
        return reasons.stream().map(Reason::key).distinct().collect(Collectors.joining("; "));
    }

    /// Returns the sentences of all reasons, as one text.
    public String why() {
        return reasons.stream().map(Reason::why).distinct().collect(Collectors.joining(" "));
    }
}
