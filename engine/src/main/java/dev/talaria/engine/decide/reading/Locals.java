package dev.talaria.engine.decide.reading;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/// The variables that functions have declared for themselves while they run.
final class Locals {
    private final Deque<Frame> frames = new ArrayDeque<>();

    private static final class Frame {
        private final Set<String> own = new HashSet<>();
        private final Set<String> outside = new HashSet<>(); // set by `declare -g`
    }

    /// Begins a function.
    void enter() {
        frames.push(new Frame());
    }

    /// Ends a function: variables that it has declared are as they were before.
    void leave(State start, State end) {
        frames.pop().own.forEach(name -> {
            Variable old = start.variables.get(name);
            if (old == null) {
                end.variables.remove(name);
            } else {
                end.variables.put(name, old);
            }
        });
    }

    /// Returns whether a function runs.
    boolean inside() {
        return !frames.isEmpty();
    }

    /// Notes a variable of the function that runs.
    ///
    /// @return whether it is clear which one its name stands for
    boolean add(String name) {
        if (inside()) {
            frames.getFirst().own.add(name);
        }
        return frames.stream().noneMatch(frame -> frame.outside.contains(name));
    }

    /// Notes a variable that is set outside of all functions.
    ///
    /// @return whether it is clear which one its name stands for
    boolean outside(String name) {
        if (inside()) {
            frames.getFirst().outside.add(name);
        }
        return frames.stream().noneMatch(frame -> frame.own.contains(name));
    }

    /// Returns whether a function further out has declared a variable.
    boolean further(String name) {
        return frames.stream().skip(1).anyMatch(frame -> frame.own.contains(name));
    }
}
