package dev.talaria.api;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// A question to a person: may this call be done?
///
/// ```java
/// Approver console = question -> {
///     System.out.println(question.subject() + ": " + question.why());
///     question.offers().forEach(offer -> System.out.println(offer.answer().word() + ": " + offer.text()));
///     return Answer.of(System.console().readLine("answer: ")).filter(question.answers()::contains);
/// };
/// ```
///
/// @param id the question's id, for doors that answer it later
/// @param call the call that needs an approval
/// @param subject the command or script as a person should see it: secrets are masked, invisible characters are
///     visible
/// @param reasons why a person is asked
/// @param offers the possible answers, the narrowest yes first
/// @param until the time after which no answer means no
/// @param matter equal for two questions only if both are about the very same thing; empty means that no other
///     question is about it
public record Question(
        String id,
        ToolCall call,
        String subject,
        List<Reason> reasons,
        List<Offer> offers,
        Instant until,
        String matter) {

    /// Makes a question about something that no other question is about.
    public Question(String id, ToolCall call, String subject, List<Reason> reasons, List<Offer> offers, Instant until) {
        this(id, call, subject, reasons, offers, until, "");
    }

    /// One thing that is dangerous about a call.
    ///
    /// @param key the name of the kind of danger
    /// @param why a sentence for people
    public record Reason(String key, String why) {}

    /// One possible answer.
    ///
    /// @param answer the answer
    /// @param text what exactly the answer allows, in words
    public record Offer(Answer answer, String text) {}

    public Question {
        reasons = List.copyOf(reasons);
        offers = offers.stream().sorted(Comparator.comparing(Offer::answer)).toList();
    }

    /// Returns the possible answers.
    public Set<Answer> answers() {
        return offers.stream().map(Offer::answer).collect(Collectors.toUnmodifiableSet());
    }

    /// Returns the offer of an answer; empty if the answer is not possible.
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
