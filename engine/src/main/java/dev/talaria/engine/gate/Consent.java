package dev.talaria.engine.gate;

import dev.talaria.api.Answer;
import dev.talaria.api.Approver;
import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.Question;
import dev.talaria.api.Question.Reason;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolContext;
import dev.talaria.engine.json.Json;
import dev.talaria.engine.util.Sha256;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gets a person's consent: looks up what people have allowed before, asks the approvers, remembers
/// the answer.
final class Consent {
    private static final Logger LOG = LoggerFactory.getLogger(Consent.class);

    private final Approvers approvers;
    private final ApprovalMemory memory;
    private final Optional<Later> later;
    private final Duration timeout;
    private final InstantSource clock;

    /// @param later where questions are kept that nobody can answer now; absent if nobody will answer
    ///     them
    Consent(Approvers approvers, ApprovalMemory memory, Optional<Later> later, Duration timeout, InstantSource clock) {
        this.approvers = approvers;
        this.memory = memory;
        this.later = later;
        this.timeout = timeout;
        this.clock = clock;
    }

    /// Where questions are kept, and for how long.
    record Later(StoredQuestions pending, Duration time) {}

    /// The result of asking.
    sealed interface Outcome {
        /// Allowed before, for the session or for good.
        record Known() implements Outcome {}

        /// Somebody said yes.
        ///
        /// @param id of the question, if it was answered before the call came
        record Granted(Answer answer, String by, Optional<String> id) implements Outcome {}

        record Denied(String by) implements Outcome {}

        /// Nobody answered in time.
        record TimedOut() implements Outcome {}

        /// The call was taken back while it waited for an answer.
        record Cancelled(String reason) implements Outcome {}

        /// There is nobody to ask.
        record Nobody() implements Outcome {}

        /// Nobody can be asked now, and somebody may answer later.
        record Pending(StoredQuestion question) implements Outcome {}
    }

    /// Returns whether all reasons are allowed already.
    boolean known(ToolContext context, QuestionScope scope, List<Reason> reasons) {
        return open(context, scope, reasons).isEmpty();
    }

    /// Asks, and waits for the answer. Meanwhile the clocks of the call and of its script stand
    /// still, for at most the time of one answer: many questions do not make a script last for ever.
    ///
    /// @param aboutPaths the keys of rules whose only damage is to the paths that a command changes
    Outcome ask(
            ToolContext context, QuestionScope scope, String subject, List<Reason> reasons, Set<String> aboutPaths) {
        List<Reason> open = open(context, scope, reasons);
        if (open.isEmpty()) {
            return new Outcome.Known();
        }
        Offers offers = Offers.of(scope, open, aboutPaths);
        Question question = new Question(
                UUID.randomUUID().toString().substring(0, 8),
                context.call(),
                subject,
                open,
                offers.all(),
                clock.instant().plus(timeout),
                scope.sha256());
        Outcome outcome = later.flatMap(kept -> kept.pending().take(binding(context, scope), offers))
                .flatMap(Consent::answered)
                .or(() -> askNow(context, question))
                .or(() -> later.flatMap(
                                kept -> kept.pending().ask(question, binding(context, scope), offers, kept.time()))
                        .map(Outcome.Pending::new))
                .orElseGet(Outcome.Nobody::new);
        remember(context, question, offers, outcome);
        return outcome;
    }

    private Optional<Outcome> askNow(ToolContext context, Question question) {
        context.waitingFor(() -> "an answer to the question whether this may be done");
        Deadline until = Deadline.after(timeout);
        try (Deadline.Stop _ = context.deadline().stop(timeout)) {
            for (Approver approver : approvers.now()) {
                Optional<Outcome> outcome = ask(approver, question, until, context.cancellation());
                if (outcome.isPresent()) {
                    return outcome;
                }
            }
        }
        return Optional.empty();
    }

    private List<Reason> open(ToolContext context, QuestionScope scope, List<Reason> reasons) {
        return memory.open(context.call().caller().session(), scope, reasons);
    }

    /// Returns a hash of everything that identifies a call. A later answer counts for no other call.
    private static String binding(ToolContext context, QuestionScope scope) {
        ToolCall call = context.call();
        return Sha256.of(Json.sorted(Map.of(
                "door", call.caller().door(),
                "session", call.caller().session(),
                "tool", call.tool(),
                "arguments", call.arguments(),
                "matter", scope.sha256(),
                "spot", scope.spot().map(spot -> List.of(spot.sandbox(), spot.folder())))));
    }

    private static Optional<Outcome> answered(StoredQuestion question) {
        return question.answer()
                .map(given -> given.answer() == Answer.DENY
                        ? new Outcome.Denied(given.by() + " (" + question.id() + ")")
                        : new Outcome.Granted(given.answer(), given.by(), Optional.of(question.id())));
    }

    /// Asks one approver in a thread of its own, since the approver may never return.
    private static Optional<Outcome> ask(
            Approver approver, Question question, Deadline until, Cancellation cancellation) {
        FutureTask<Optional<Answer>> asking = new FutureTask<>(() -> approver.ask(question));
        try (var _ = cancellation.onCancel(() -> asking.cancel(true))) {
            Thread.ofVirtual().name("approval").start(asking);
            return asking.get(until.remaining().toNanos(), TimeUnit.NANOSECONDS)
                    .map(answer -> answered(approver, question, answer));
        } catch (TimeoutException e) {
            asking.cancel(true);
            return Optional.of(new Outcome.TimedOut());
        } catch (CancellationException e) {
            return Optional.of(new Outcome.Cancelled(cancellation.reason().orElse("cancelled")));
        } catch (InterruptedException e) {
            asking.cancel(true);
            Thread.currentThread().interrupt();
            return Optional.of(new Outcome.Cancelled("the calling thread was interrupted"));
        } catch (ExecutionException e) {
            LOG.warn("Approver {} failed, which counts as a no", approver.name(), e.getCause());
            return Optional.of(new Outcome.Denied(approver.name() + ", which failed"));
        }
    }

    private static Outcome answered(Approver approver, Question question, Answer answer) {
        return answer == Answer.DENY || !question.answers().contains(answer)
                ? new Outcome.Denied(approver.name())
                : new Outcome.Granted(answer, approver.name(), Optional.empty());
    }

    private void remember(ToolContext context, Question question, Offers offers, Outcome outcome) {
        if (!(outcome instanceof Outcome.Granted granted)) {
            return;
        }
        List<Grant> grants = offers.granted(granted.answer());
        switch (Offers.span(granted.answer())) {
            case CALL, NEVER -> {}
            case SESSION -> memory.session(context.call().caller().session(), grants);
            case ALWAYS -> keep(context, question, grants, granted.by()); // alone: it can be revoked
        }
    }

    /// Stores an answer. If it cannot be stored, it counts for this session.
    private void keep(ToolContext context, Question question, List<Grant> grants, String by) {
        try {
            memory.always(grants, question.subject(), by);
        } catch (UncheckedIOException e) {
            memory.session(context.call().caller().session(), grants);
            LOG.warn("Allowed for this session only: {}", e.getMessage(), e);
        }
    }
}
