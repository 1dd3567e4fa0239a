package dev.talaria.cli;

import dev.talaria.api.Answer;
import dev.talaria.api.DisplayText;
import dev.talaria.api.Question;
import dev.talaria.engine.admin.PendingApproval;
import dev.talaria.engine.admin.PendingApprovals;
import dev.talaria.engine.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The questions that nobody could be asked in time. It shows them, and takes the answers of the person at the
/// terminal.
final class PendingQuestions {
    private static final String BY = "terminal";

    private final PendingApprovals approvals;
    private final Console console;
    private final boolean json;

    PendingQuestions(PendingApprovals approvals, Console console, boolean json) {
        this.approvals = approvals;
        this.console = console;
        this.json = json;
    }

    void list() {
        PendingApprovals.Listing listing = approvals.pending();
        listing.leftAlone().forEach(left -> console.say("warning: " + DisplayText.line(left)));
        if (json) {
            console.println(Json.text(Map.of(
                    "pending",
                    listing.waiting().stream().map(PendingApproval::shown).toList())));
            return;
        }
        if (listing.waiting().isEmpty()) {
            console.println("No question waits for an answer.");
        }
        listing.waiting().forEach(this::print);
    }

    private void print(PendingApproval one) {
        console.println(one.id() + "  " + DisplayText.line(one.keys()) + "   (" + DisplayText.line(one.door())
                + ", session " + DisplayText.line(one.session()) + ", until " + one.until() + ")");
        DisplayText.visible(one.subject()).lines().forEach(line -> console.println("    " + line));
        if (one.answer().isPresent()) {
            console.println("    answered " + one.answer().get().answer().word() + "; it waits for its call");
        } else {
            console.println("    " + DisplayText.line(one.why()));
            one.offers()
                    .forEach(offer ->
                            console.println("    " + offer.answer().word() + ": " + DisplayText.line(offer.text())));
        }
    }

    /// Asks for an answer on the terminal.
    void answer(String id) {
        answer(id, terminal -> ask(id, terminal));
    }

    void answer(String id, Answer answer) {
        answer(id, _ -> answer);
    }

    /// Takes an answer from a person: without a terminal of its own a program cannot give one.
    private void answer(String id, Function<InputStream, Answer> person) {
        if (!console.inIsTerminal()) {
            throw new UsageException("only a person at a terminal can answer, and stdin is not a terminal.");
        }
        try (InputStream terminal = Terminal.open()) {
            take(id, person.apply(terminal));
        } catch (IOException e) {
            throw new UsageException("only a person at a terminal can answer, and there is no terminal.");
        }
    }

    private void take(String id, Answer given) {
        switch (approvals.answer(id, given, RunCommand.CALLER, BY)) {
            case PendingApprovals.Reply.Accepted(PendingApproval question, Question.Offer offer) -> {
                if (json) {
                    console.println(Json.text(Map.of("answered", question.shown())));
                } else {
                    console.println(TerminalApprover.said(shown(offer)) + " It counts when the same call comes again.");
                }
            }
            case PendingApprovals.Reply.Unknown _ -> throw unknown(id);
            case PendingApprovals.Reply.AlreadyAnswered(PendingApproval question) ->
                throw new UsageException("this question has been answered already: "
                        + question.answer().map(one -> one.answer().word()).orElse("") + ".");
            case PendingApprovals.Reply.NotOffered(PendingApproval question) ->
                throw new UsageException("'" + given.word() + "' is not offered here. Choose one of "
                        + question.offers().stream()
                                .map(offer -> offer.answer().word())
                                .collect(Collectors.joining(", "))
                        + ".");
        }
    }

    private Answer ask(String id, InputStream terminal) {
        List<PendingApproval> found = approvals.pending().waiting().stream()
                .filter(one -> one.id().startsWith(id))
                .toList();
        if (found.size() != 1) {
            throw unknown(id);
        }
        PendingApproval one = found.getFirst();
        List<Question.Offer> offers =
                one.offers().stream().map(PendingQuestions::shown).toList();
        TerminalApprover.show(
                console,
                DisplayText.line(one.keys()),
                DisplayText.visible(one.subject()),
                DisplayText.line(one.why()),
                offers);
        try {
            return TerminalApprover.choose(console, terminal, offers, one.until())
                    .answer();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.DENY;
        } catch (IOException e) {
            throw new UsageException("the terminal cannot be read.");
        }
    }

    private static Question.Offer shown(Question.Offer offer) {
        return new Question.Offer(offer.answer(), DisplayText.line(offer.text()));
    }

    private static UsageException unknown(String id) {
        return new UsageException("no question, or more than one, with the id " + DisplayText.line(id)
                + " waits for an answer. 'talaria approvals pending' lists them.");
    }
}
