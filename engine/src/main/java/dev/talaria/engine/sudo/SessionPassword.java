package dev.talaria.engine.sudo;

import dev.talaria.engine.output.KnownSecrets;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// The password of one session, and those that sudo did not take. Two sudos of a pipeline ask at the same time: who
/// holds the lock is answered first, and the other one then finds what it needs.
final class SessionPassword {
    private final Optional<String> configured;
    private final KnownSecrets secrets;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<String> wrong = new HashSet<>(); // guarded by lock
    private Optional<String> typed = Optional.empty(); // guarded by lock

    SessionPassword(Optional<String> configured, KnownSecrets secrets) {
        this.configured = configured;
        this.secrets = secrets;
    }

    ReentrantLock lock() {
        return lock;
    }

    /// Returns what is known and was not refused yet: the operator's, else what a person has typed.
    Optional<String> known() {
        return configured.filter(password -> !wrong.contains(password)).or(() -> typed);
    }

    boolean configuredIsWrong() {
        return configured.filter(wrong::contains).isPresent();
    }

    void typed(String password) {
        secrets.add(password);
        wrong.remove(password); // whoever types it again means it
        typed = Optional.of(password);
    }

    /// Forgets a password that sudo did not take; returns whether a person had typed it.
    boolean refused(String password) {
        wrong.add(password);
        boolean forgotten = typed.filter(password::equals).isPresent();
        if (forgotten) {
            typed = Optional.empty();
        }
        return forgotten;
    }
}
