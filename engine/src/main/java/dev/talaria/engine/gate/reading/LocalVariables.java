package dev.talaria.engine.gate.reading;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Tracks the local variables of functions while they run.
final class LocalVariables {
    private final Deque<Frame> frames = new ArrayDeque<>();

    private static final class Frame {
        private final Map<String, Optional<Variable>> own = new HashMap<>(); // with the value before
        private final Set<String> outside = new HashSet<>(); // set by `declare -g`
    }

    /// Notes that a function begins.
    void enter() {
        frames.push(new Frame());
    }

    /// Notes that a function ends. The variables that it has declared get their old values back. A
    /// variable that it may have declared may have its old value.
    void leave(State end, UnknownValues marks) {
        String key = key("");
        frames.pop().own.forEach((name, old) -> {
            boolean sure = end.text(key + name).filter("1"::equals).isPresent();
            end.variables.remove(key + name);
            Variable now = end.variables.get(name);
            if (sure) {
                end.variables.restore(name, old);
            } else if (now != null) {
                end.variables.put(name, Variables.either(old.orElse(null), now, marks));
            }
        });
    }

    /// Returns the name under which a state records that a variable was declared on its way.
    private String key(String name) {
        return "local " + frames.size() + " " + name;
    }

    /// Returns whether a function runs.
    boolean inside() {
        return !frames.isEmpty();
    }

    /// Notes a variable of the running function.
    ///
    /// @return whether it is clear which variable the name stands for
    boolean add(String name, State state) {
        if (inside()) {
            frames.getFirst().own.putIfAbsent(name, Optional.ofNullable(state.variables.get(name)));
            state.set(key(name), "1");
        }
        return frames.stream().noneMatch(frame -> frame.outside.contains(name));
    }

    /// Notes a variable that is set outside of all functions.
    ///
    /// @return whether it is clear which variable the name stands for
    boolean outside(String name) {
        if (inside()) {
            frames.getFirst().outside.add(name);
        }
        return frames.stream().noneMatch(frame -> frame.own.containsKey(name));
    }

    /// Returns whether an outer function has declared a variable.
    boolean further(String name) {
        return frames.stream().skip(1).anyMatch(frame -> frame.own.containsKey(name));
    }
}
