package dev.talaria.engine.output;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// The state that a conversation keeps between its calls.
public final class Session {
    private final String id;
    private final Spills.Session spills;
    private final AtomicReference<Optional<String>> lastFailure = new AtomicReference<>(Optional.empty());

    public Session(String id, Spills.Session spills) {
        this.id = id;
        this.spills = spills;
    }

    public String id() {
        return id;
    }

    /// Returns the spill files that this session made, and that only it may read.
    public Spills.Session spills() {
        return spills;
    }

    /// Remembers a script's failure or success. Returns whether the script before failed in the same
    /// way.
    public boolean failedAgain(Optional<String> failure) {
        return lastFailure.getAndSet(failure).equals(failure) && failure.isPresent();
    }
}
