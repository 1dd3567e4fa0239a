package dev.talaria.engine.sandbox;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// Tells all calls of a session how its sandbox is prepared, also calls that come while the preparation goes on.
final class Preparation {
    private final List<Consumer<Optional<String>>> listeners = new CopyOnWriteArrayList<>();
    private Optional<String> latest = Optional.empty(); // this and below: guarded by this
    private int steps;

    /// Returns a consumer for the progress of the next step. Lines that come after the step is over are dropped.
    synchronized Consumer<String> begin() {
        int step = ++steps;
        return line -> says(step, line);
    }

    private synchronized void says(int step, String line) {
        if (step == steps) {
            latest = Optional.of(line);
            tell();
        }
    }

    /// Tells the calls that the preparation is over, if they were told of it.
    synchronized void over() {
        steps++;
        if (latest.isPresent()) {
            latest = Optional.empty();
            tell();
        }
    }

    private void tell() {
        listeners.forEach(listener -> listener.accept(latest));
    }

    /// Adds a listener. If a preparation goes on, the listener gets its latest line at once.
    synchronized void add(Consumer<Optional<String>> listener) {
        listeners.add(listener);
        if (latest.isPresent()) {
            listener.accept(latest);
        }
    }

    void remove(Consumer<Optional<String>> listener) {
        listeners.remove(listener);
    }
}
