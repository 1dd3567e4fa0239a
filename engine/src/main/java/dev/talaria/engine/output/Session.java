package dev.talaria.engine.output;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// What a conversation keeps between its calls.
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

    /// Returns the spill files this session made, which it alone may read.
    public Spills.Session spills() {
        return spills;
    }

    /// Remembers a script's failure, or that it did not fail; returns whether the one before was the same.
    public boolean failedAgain(Optional<String> failure) {
        return lastFailure.getAndSet(failure).equals(failure) && failure.isPresent();
    }
}
