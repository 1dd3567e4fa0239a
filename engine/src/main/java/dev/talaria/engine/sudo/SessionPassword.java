package dev.talaria.engine.sudo;

import dev.talaria.engine.config.SudoSettings;
import dev.talaria.engine.output.KnownSecrets;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// The password of one session, and the passwords that sudo has rejected. Two sudos of a pipeline ask
/// at the same time: the holder of the lock is answered first, and the other one then finds the
/// answer here.
final class SessionPassword {
    private final Optional<String> configured;
    private final KnownSecrets secrets;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<String> wrong = new HashSet<>(); // guarded by lock
    private Optional<String> typed = Optional.empty(); // guarded by lock

    SessionPassword(SudoSettings settings, KnownSecrets secrets) {
        this.configured = settings.password();
        this.secrets = secrets;
    }

    ReentrantLock lock() {
        return lock;
    }

    /// Returns a password that is known and was not rejected yet: the operator's, else the one that a
    /// person has typed.
    Optional<String> known() {
        return configured.filter(password -> !wrong.contains(password)).or(() -> typed);
    }

    boolean configuredIsWrong() {
        return configured.filter(wrong::contains).isPresent();
    }

    void typed(String password) {
        secrets.add(password);
        wrong.remove(password); // a person who types it again means it
        typed = Optional.of(password);
    }

    /// Forgets a password that sudo has rejected. Returns whether a person had typed it.
    boolean refused(String password) {
        wrong.add(password);
        boolean forgotten = typed.filter(password::equals).isPresent();
        if (forgotten) {
            typed = Optional.empty();
        }
        return forgotten;
    }
}
