package dev.talaria.engine.output;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// What a session's output leaves for its later calls: its spill files and its last failure.
public final class SessionOutput {
    private final Spills.SessionSpills spills;
    private final AtomicReference<Optional<String>> lastFailure = new AtomicReference<>(Optional.empty());

    public SessionOutput(Spills.SessionSpills spills) {
        this.spills = spills;
    }

    /// Returns the spill files that this session made, and that only it may read.
    public Spills.SessionSpills spills() {
        return spills;
    }

    /// Remembers a script's failure. Returns whether the script before failed in the same way.
    public boolean failedAgain(String failure) {
        return lastFailure.getAndSet(Optional.of(failure)).equals(Optional.of(failure));
    }

    /// Remembers that a script did not fail.
    public void notFailed() {
        lastFailure.set(Optional.empty());
    }
}
