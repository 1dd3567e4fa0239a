package dev.talaria.engine;

import dev.talaria.engine.clean.Spills;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// What a conversation keeps between its calls.
public final class Session {
    private final String id;
    private final Spills.Session spills;
    private final AtomicReference<Optional<String>> lastFailure = new AtomicReference<>(Optional.empty());

    private volatile Optional<String> folder = Optional.empty(); // written at the end of a command

    Session(String id, Spills.Session spills) {
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

    /// Returns the folder that its commands have moved to, if they have.
    public Optional<String> folder() {
        return folder;
    }

    /// Notes the folder that a command has left behind.
    public void moved(String to) {
        folder = Optional.of(to);
    }

    /// Remembers a script's failure, or that it did not fail; returns whether the one before was the same.
    public boolean failedAgain(Optional<String> failure) {
        return lastFailure.getAndSet(failure).equals(failure) && failure.isPresent();
    }
}
