package dev.talaria.engine.gate.reading;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The state of a shell at one point of its program.
final class State {
    final Variables variables;
    final Map<String, Set<Node.Define>> functions = new HashMap<>();
    final Map<String, Set<String>> aliases = new HashMap<>();
    final Map<String, String> traps = new HashMap<>();
    final Map<String, Input> descriptors = new HashMap<>();
    final Map<String, String> files = new HashMap<>(); // written by this text, with their content
    final Map<String, String> links = new HashMap<>(); // made by this text, with their targets
    final Map<String, String> copies = new HashMap<>(); // made by this text, with their originals
    final Set<String> exported = new HashSet<>();
    final Set<String> options = new HashSet<>();
    List<String> arguments = List.of();
    String folder;
    Input input;
    private final WorkLimit effort;

    State(Variables variables, String folder, Input input, WorkLimit effort) {
        this.variables = variables;
        this.folder = folder;
        this.input = input;
        this.effort = effort;
    }

    State copy() {
        State copy = new State(variables.empty(), folder, input, effort);
        copy.take(this);
        return copy;
    }

    /// Takes over all values of another state.
    void take(State other) {
        if (other == this) {
            return;
        }
        effort.copied(other.variables.size());
        variables.take(other.variables);
        replace(aliases, other.aliases);
        replace(functions, other.functions);
        replace(traps, other.traps);
        replace(descriptors, other.descriptors);
        replace(files, other.files);
        replace(links, other.links);
        replace(copies, other.copies);
        exported.clear();
        exported.addAll(other.exported);
        options.clear();
        options.addAll(other.options);
        arguments = other.arguments;
        folder = other.folder;
        input = other.input;
    }

    private <T> void replace(Map<String, T> map, Map<String, T> by) {
        effort.copied(by.size());
        map.clear();
        map.putAll(by);
    }

    /// Returns the state of a program that is started from here. The program gets the exported
    /// variables, and no others.
    ///
    /// @param marks marks for variables that may have been removed
    State child(UnknownValues marks) {
        State child = new State(variables.empty(), folder, input, effort);
        boolean all = options.contains("allexport");
        variables.forEach((name, value) -> {
            boolean taken = !name.equals("IFS"); // no shell takes IFS from its environment
            if (taken && (all || exported.contains(name)) && !value.list()) {
                boolean perhaps = options.contains("unexported") && !name.equals("HOME");
                if (perhaps) {
                    child.variables.put(name, Variables.either(value, null, marks));
                } else {
                    child.variables.given(name, value);
                }
                child.exported.add(name);
            }
        });
        functions.forEach((name, bodies) -> {
            if (exported.contains(name + "()")) {
                child.functions.put(name, bodies);
                child.options.add("maybe " + name); // not every shell imports functions
                child.exported.add(name + "()");
            }
        });
        child.files.putAll(files);
        child.links.putAll(links);
        child.copies.putAll(copies);
        child.descriptors.putAll(descriptors);
        return child;
    }

    /// Takes over the changes that a program started from here has made to files.
    void effectsOf(State child) {
        effort.copied(child.files.size() + child.links.size() + child.copies.size());
        files.putAll(child.files);
        links.putAll(child.links);
        copies.putAll(child.copies);
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(variables.get(name)).map(Variable::text);
    }

    void set(String name, String value) {
        variables.put(name, Variable.of(value));
    }

    /// Joins another state into this one: afterwards either may be true.
    void join(State other, UnknownValues marks) {
        variables.join(other.variables, marks);
        Set<String> sometimes = new HashSet<>(functions.keySet());
        sometimes.addAll(other.functions.keySet());
        sometimes.removeIf(name -> functions.containsKey(name) && other.functions.containsKey(name));
        sometimes.forEach(name -> options.add("maybe " + name));
        union(functions, other.functions);
        union(aliases, other.aliases);
        other.traps.forEach((name, text) -> traps.merge(name, text, (a, b) -> a.equals(b) ? a : a + "\n" + b));
        joinDescriptors(other);
        other.files.forEach((path, text) -> files.merge(path, text, (a, b) -> a.equals(b) ? a : UnknownValues.MADE));
        other.links.forEach((path, to) -> links.merge(path, to, (a, b) -> a.equals(b) ? a : UnknownValues.MADE));
        copies.putAll(other.copies);
        exported.addAll(other.exported);
        options.addAll(other.options);
        if (!arguments.equals(other.arguments)) {
            arguments = List.of(UnknownValues.MADE);
        }
        folder = marks.choice(List.of(folder, other.folder));
        if (input != other.input) {
            input = new Input(input.rest().equals(other.input.rest()) ? input.rest() : UnknownValues.MADE);
        }
    }

    private void joinDescriptors(State other) {
        Set<String> numbers = new HashSet<>(descriptors.keySet());
        numbers.addAll(other.descriptors.keySet());
        numbers.forEach(number -> {
            Input here = descriptors.get(number);
            Input there = other.descriptors.get(number);
            if (here != there) {
                descriptors.put(
                        number,
                        new Input(
                                here != null && there != null && here.rest().equals(there.rest())
                                        ? here.rest()
                                        : UnknownValues.MADE));
            }
        });
    }

    /// Returns all input that has not been read.
    String unread() {
        StringBuilder all = new StringBuilder(input.rest());
        descriptors.forEach(
                (number, open) -> all.append('\0').append(number).append('\0').append(open.rest()));
        return all.toString();
    }

    private static <T> void union(Map<String, Set<T>> into, Map<String, Set<T>> more) {
        more.forEach((name, values) -> into.merge(name, values, State::both));
    }

    static <T> Set<T> both(Collection<T> one, Collection<T> other) {
        Set<T> all = new LinkedHashSet<>(one);
        all.addAll(other);
        return all;
    }

    /// Returns whether the next round of a loop would begin with the same values.
    boolean same(State other) {
        return variables.same(other.variables)
                && functions.equals(other.functions)
                && aliases.equals(other.aliases)
                && folder.equals(other.folder)
                && arguments.equals(other.arguments)
                && files.equals(other.files)
                && input.rest().equals(other.input.rest());
    }

    /// Makes everything unknown that differs from an earlier state.
    void widen(State before) {
        variables.widen(before.variables);
        folder = folder.equals(before.folder) ? folder : UnknownValues.MADE;
        arguments = arguments.equals(before.arguments) ? arguments : List.of(UnknownValues.MADE);
        input.spoil();
        descriptors.values().forEach(Input::spoil);
    }
}
