package dev.talaria.engine.sandbox;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// How a session's sandbox is got ready, as told to all of its calls: those that wait, and those that come meanwhile.
final class Preparation {
    private final List<Consumer<Optional<String>>> listeners = new CopyOnWriteArrayList<>();
    private Optional<String> latest = Optional.empty(); // this and below: guarded by this
    private int steps;

    /// Returns where the next step tells how it goes on, until it is over: what comes later is not heard.
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

    /// Tells that it is ready, or that nobody goes on with it, if anything was told before.
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

    /// Hears it from now on; told at once if something is going on.
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
