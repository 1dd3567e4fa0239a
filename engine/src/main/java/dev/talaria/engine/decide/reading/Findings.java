package dev.talaria.engine.decide.reading;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What has been read so far, shared by the readers of nested texts. Holds the bounds that keep hostile texts cheap.
final class Findings {
    /// A script in a script in a script: people need three.
    static final int DEEPEST = 12;

    private static final int MOST_COMMANDS = 8_000;
    private static final int MOST_CHARS = 4 * Reading.LONGEST; // read and written in all, nested texts at each level
    private static final int MOST_EXPANDED = 64_000;
    private static final int MOST_VARIABLES = 200;
    private static final int LONGEST_VALUE = 1000;

    private final Set<String> commands = new LinkedHashSet<>();
    private final List<String> pipelines = new ArrayList<>();
    private final Set<String> programs = new HashSet<>();
    private final Map<String, String> variables = new HashMap<>();
    private int chars;
    private int counted;
    private int expanded;
    private boolean compound;
    private boolean salvaged;
    private Optional<String> unreadable = Optional.empty();

    /// Notes that a text of this length is about to be read; returns whether that is still all right.
    boolean admit(int length, int depth) {
        chars += length;
        if (depth > DEEPEST) {
            giveUp("commands are nested more than " + DEEPEST + " deep in it");
        } else if (chars > MOST_CHARS) {
            giveUp("its nested commands are too long");
        }
        return unreadable.isEmpty();
    }

    void command(String program, String line) {
        if (++counted > MOST_COMMANDS) {
            giveUp("it holds more than " + MOST_COMMANDS + " commands");
            return;
        }
        if (admit(line.length(), 0)) {
            programs.add(program);
            commands.add(line);
        }
    }

    void pipeline(String line) {
        pipelines.add(line);
    }

    void variable(String name, String value) {
        if (variables.size() < MOST_VARIABLES && value.length() <= LONGEST_VALUE) {
            variables.put(name, value);
        }
    }

    /// Returns a variable that the text itself has set.
    Optional<String> variable(String name) {
        Optional<String> value = Optional.ofNullable(variables.get(name));
        expanded += value.map(String::length).orElse(0);
        if (expanded > MOST_EXPANDED) {
            giveUp("its variables expand to more than " + MOST_EXPANDED + " characters");
            return Optional.empty();
        }
        return value;
    }

    void giveUp(String why) {
        if (unreadable.isEmpty()) {
            unreadable = Optional.of(why);
        }
    }

    /// Returns true the first time: what follows a quote without an end is read once more as if it were none.
    boolean salvage() {
        boolean first = !salvaged;
        salvaged = true;
        return first;
    }

    boolean over() {
        return unreadable.isPresent();
    }

    void compounded() {
        compound = true;
    }

    boolean compound() {
        return compound;
    }

    List<String> commands() {
        return List.copyOf(commands);
    }

    List<String> pipelines() {
        return pipelines;
    }

    Set<String> programs() {
        return programs;
    }

    Optional<String> unreadable() {
        return unreadable;
    }
}
