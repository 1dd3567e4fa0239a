package dev.talaria.engine.sudo;

import dev.talaria.api.Deadline;
import dev.talaria.api.DisplayText;
import dev.talaria.api.PasswordPrompt;
import dev.talaria.api.ToolContext;
import dev.talaria.engine.output.Redactor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks a person for a password. Meanwhile the clocks of the command, and of the script that runs it,
/// stand still.
record PasswordQuestion(
        List<PasswordPrompt> prompts,
        Redactor redactor,
        Duration timeout,
        ToolContext context,
        String command,
        String sandbox) {
    private static final Logger LOG = LoggerFactory.getLogger(PasswordQuestion.class);

    private static final int TRIES = 3; // a person may mistype a password; the clock does not stand still for ever

    /// The result of asking.
    sealed interface Outcome {
        record Typed(String password) implements Outcome {
            @Override
            public String toString() {
                return "Typed[password=hidden]";
            }
        }

        record Declined() implements Outcome {}

        record TimedOut() implements Outcome {}

        /// There is nobody to ask.
        record Nobody() implements Outcome {}
    }

    Outcome ask(boolean again) throws InterruptedException {
        String subject = DisplayText.of(redactor.redact(command, Redactor.Mode.CODE));
        PasswordPrompt.Request request = new PasswordPrompt.Request(
                context.call(), subject, sandbox, again, Instant.now().plus(timeout));
        context.waitingFor(() -> "the password for sudo");
        Deadline until = Deadline.after(timeout);
        try (Deadline.Stop _ = context.deadline().stop(timeout.multipliedBy(TRIES))) {
            for (PasswordPrompt prompt : prompts) {
                Optional<Outcome> outcome = ask(prompt, request, until);
                if (outcome.isPresent()) {
                    return outcome.get();
                }
            }
        }
        return new Outcome.Nobody();
    }

    /// Asks one prompt in a thread of its own, since the prompt may never return.
    private static Optional<Outcome> ask(PasswordPrompt prompt, PasswordPrompt.Request request, Deadline until)
            throws InterruptedException {
        FutureTask<Optional<String>> asking = new FutureTask<>(() -> prompt.ask(request));
        try {
            Thread.ofVirtual().name("password-prompt").start(asking);
            return asking.get(until.remaining().toNanos(), TimeUnit.NANOSECONDS).map(PasswordQuestion::outcome);
        } catch (TimeoutException e) {
            return Optional.of(new Outcome.TimedOut());
        } catch (ExecutionException e) {
            LOG.warn("A password prompt failed, which counts as no password", e.getCause());
            return Optional.of(new Outcome.Declined());
        } finally {
            asking.cancel(true);
        }
    }

    private static Outcome outcome(String typed) {
        return typed.isEmpty() || typed.indexOf('\n') >= 0 || typed.indexOf('\0') >= 0
                ? new Outcome.Declined()
                : new Outcome.Typed(typed);
    }
}
