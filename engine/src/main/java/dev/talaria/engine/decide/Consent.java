package dev.talaria.engine.decide;

import dev.talaria.api.Answer;
import dev.talaria.api.Approver;
import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.Question;
import dev.talaria.api.ToolContext;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
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

/// Gets a person's consent: looks up what they have allowed before, asks whoever can be asked, remembers the answer.
final class Consent {
    private static final Logger LOG = LoggerFactory.getLogger(Consent.class);

    private final Approvers approvers;
    private final Memory memory;
    private final Duration timeout;
    private final InstantSource clock;

    Consent(Approvers approvers, Memory memory, Duration timeout, InstantSource clock) {
        this.approvers = approvers;
        this.memory = memory;
        this.timeout = timeout;
        this.clock = clock;
    }

    /// What came of asking.
    sealed interface Outcome {
        /// Allowed before, for the session or for good.
        record Known() implements Outcome {}

        record Granted(Answer answer, String by) implements Outcome {}

        record Denied(String by) implements Outcome {}

        /// Nobody answered in time.
        record TimedOut() implements Outcome {}

        /// The call was taken back while it waited for an answer.
        record Cancelled(String reason) implements Outcome {}

        /// There is nobody to ask.
        record Nobody() implements Outcome {}
    }

    /// Returns whether all reasons are allowed already.
    boolean known(ToolContext context, List<Question.Reason> reasons) {
        return open(context, reasons).isEmpty();
    }

    /// Asks, and waits for the answer. The clock of the call and of the script that made it stands meanwhile,
    /// for as long as one answer may take: many questions do not make a script last for ever.
    ///
    /// @param remembered whether an answer may count for more than this call
    Outcome ask(ToolContext context, String subject, List<Question.Reason> reasons, boolean remembered) {
        List<Question.Reason> open = open(context, reasons);
        if (open.isEmpty()) {
            return new Outcome.Known();
        }
        Question question = new Question(
                UUID.randomUUID().toString().substring(0, 8),
                context.call(),
                subject,
                open,
                remembered ? Set.of(Answer.values()) : Set.of(Answer.ONCE, Answer.DENY),
                clock.instant().plus(timeout));
        context.waitingFor(() -> "an answer to the question whether this may be done");
        Deadline until = Deadline.after(timeout);
        try (Deadline.Stop _ = context.deadline().stop(timeout)) {
            for (Approver approver : approvers.now()) {
                Optional<Outcome> outcome = ask(approver, question, until, context.cancellation());
                if (outcome.isPresent()) {
                    outcome.ifPresent(given -> remember(context, question, given));
                    return outcome.get();
                }
            }
        }
        return new Outcome.Nobody();
    }

    private List<Question.Reason> open(ToolContext context, List<Question.Reason> reasons) {
        List<String> keys = reasons.stream().map(Question.Reason::key).toList();
        List<String> open = memory.open(context.call().caller().session(), keys);
        return reasons.stream().filter(reason -> open.contains(reason.key())).toList();
    }

    /// Asks one approver, in a thread of its own: it may never come back.
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
                : new Outcome.Granted(answer, approver.name());
    }

    private void remember(ToolContext context, Question question, Outcome outcome) {
        if (!(outcome instanceof Outcome.Granted granted)) {
            return;
        }
        List<String> keys =
                question.reasons().stream().map(Question.Reason::key).toList();
        switch (granted.answer()) {
            case ONCE, DENY -> {}
            case SESSION -> memory.session(context.call().caller().session(), keys);
            case ALWAYS -> keep(context, question, keys, granted.by()); // and not for the session: it can be revoked
        }
    }

    /// An answer that cannot be written down still is one, for this session.
    private void keep(ToolContext context, Question question, List<String> keys, String by) {
        try {
            memory.always(keys, question.subject(), by);
        } catch (UncheckedIOException e) {
            memory.session(context.call().caller().session(), keys);
            LOG.warn("Allowed for this session only: {}", e.getMessage(), e);
        }
    }
}
