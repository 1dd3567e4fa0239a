package dev.talaria.engine.sudo;

import dev.talaria.api.ToolResult;
import dev.talaria.engine.job.Askpass;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// Answers the sudos of one command, each question once, and adds what happened to the command's
/// result.
public final class SudoAnswers implements Askpass {
    /// A person may mistype once. sudo's own limit is three, and we must see that the last answer was
    /// wrong.
    private static final int MOST_TYPED = 2;

    private static final String HOW =
            "Set sudo.password in the user's talaria.yaml, or the variable SUDO_PASSWORD, or give"
                    + " the user a sudoers rule with NOPASSWD";

    private final SessionPassword session;
    private final PasswordQuestion person;
    private final Map<Long, Tries> tries = new HashMap<>(); // guarded by session.lock()
    private volatile boolean wrong; // this and the next two: written under the lock, read at the end
    private volatile boolean forgotten;
    private volatile Optional<String> refusal = Optional.empty();

    private static final class Tries {
        private Optional<String> last = Optional.empty();
        private int typed;
    }

    SudoAnswers(SessionPassword session, PasswordQuestion person) {
        this.session = session;
        this.person = person;
    }

    @Override
    public Reply ask(Question question) throws InterruptedException {
        ReentrantLock lock = session.lock();
        lock.lockInterruptibly();
        try {
            Tries mine = tries.computeIfAbsent(question.sudo(), _ -> new Tries());
            mine.last.ifPresent(this::wasWrong);
            Optional<String> known = session.known().filter(password -> !mine.last.equals(Optional.of(password)));
            if (known.isPresent()) {
                mine.last = known;
                return new Reply.Password(known.get());
            }
            if (question.ending()) {
                return new Reply.Refused("no password is known to end what the command left running.");
            }
            return askPerson(mine);
        } finally {
            lock.unlock();
        }
    }

    private void wasWrong(String password) {
        wrong = true;
        forgotten |= session.refused(password);
    }

    private Reply askPerson(Tries mine) throws InterruptedException {
        if (mine.typed >= MOST_TYPED) {
            return refused("the password was wrong " + MOST_TYPED + " times, so it is not asked for again.");
        }
        return switch (person.ask(mine.last.isPresent())) {
            case PasswordQuestion.Outcome.Typed(String password) -> {
                mine.typed++;
                mine.last = Optional.of(password);
                session.typed(password);
                yield new Reply.Password(password);
            }
            case PasswordQuestion.Outcome.Declined _ -> refused("no password was given.");
            case PasswordQuestion.Outcome.TimedOut _ ->
                refused("nobody gave the password within " + shown(person.timeout()) + ".");
            case PasswordQuestion.Outcome.Nobody _ ->
                refused(
                        session.configuredIsWrong()
                                ? "the configured password (sudo.password or SUDO_PASSWORD) is wrong here."
                                : mine.last.isPresent()
                                        ? "the password was wrong, and there is nobody to ask for another one."
                                        : "sudo needs a password, and there is none and nobody to ask. " + HOW + ".");
        };
    }

    private static String shown(Duration timeout) {
        return timeout.toMillis() % 1000 == 0 ? timeout.toSeconds() + " s" : timeout.toMillis() + " ms";
    }

    private Reply refused(String why) {
        refusal = Optional.of(why);
        return new Reply.Refused(why);
    }

    /// Returns the result with the facts about sudo that the caller should know.
    public ToolResult described(ToolResult result) {
        Map<String, Object> value = new LinkedHashMap<>(result.value());
        if (wrong) {
            value.put("sudo_auth_failed", true);
        }
        if (forgotten) {
            value.put("sudo_cache_cleared", true);
        }
        Optional<String> hint = refusal.map(
                        why -> "No password for sudo: " + why + " Do not guess one, and do not try another way.")
                .or(() -> SudoProblem.in(String.valueOf(value.get("output"))));
        hint.ifPresent(text -> value.merge("hint", text, (other, mine) -> mine + " " + other));
        return result.withValue(value);
    }
}
