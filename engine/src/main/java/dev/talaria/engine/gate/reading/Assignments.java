package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Node.Assignment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Assigns values to variables.
final class Assignments {
    /// Stands for the key of a list whose keys are texts: `declare -A name=(...)`.
    static final String ASSOCIATIVE = "-A";

    private static final Pattern ELEMENT = Pattern.compile("\\[([^\\[\\]]*)\\](\\+?)=(.*)", Pattern.DOTALL);

    /// Variables whose values a shell expands by itself. It runs the commands in them.
    private static final Set<String> PROMPTS = Set.of("PS0", "PS1", "PS2", "PS3", "PS4");

    private Assignments() {}

    static void set(Assignment assignment, Optional<String> key, String value, State state, Evaluator evaluator) {
        String name = target(assignment.name(), state);
        if (assignment.elements().isPresent()) {
            boolean odd = key.filter(one -> !one.equals(ASSOCIATIVE)).isPresent();
            Variable list = list(assignment, name, key.isPresent(), state, evaluator);
            state.variables.put(name, odd ? Variable.made() : list);
            special(name, evaluator);
            return;
        }
        Variable old = state.variables.get(name);
        String before = old == null ? "" : old.text();
        if (key.isEmpty()) {
            String whole = assignment.append() ? before + value : value;
            set(name, old != null && old.list() ? old.with("0", whole) : Variable.of(whole), state, evaluator);
            return;
        }
        Variable list = old == null ? Variable.of(List.of()) : old;
        String place = place(key.get(), list, state, evaluator);
        if (UnknownValues.any(place) || name.equals("BASH_CMDS")) {
            state.variables.put(name, Variable.made());
            if (evaluator.findings.marks.made(place) || name.startsWith("BASH_")) {
                evaluator.findings.unknown("It sets an element of a list, and which one cannot be told beforehand.");
            }
            return;
        }
        if (name.equals("BASH_ALIASES")) {
            state.aliases.put(key.get(), Set.of(value));
        }
        state.variables.put(name, list.with(place, assignment.append() ? list.at(place) + value : value));
    }

    /// Returns the key under which a list holds an element; a mark if that is not known.
    private static String place(String key, Variable list, State state, Evaluator evaluator) {
        if (list.associative()) {
            return key;
        }
        String number = evaluator.formulas.value(key, state);
        if (!number.startsWith("-")) {
            return number;
        }
        boolean there = number.matches("-\\d{1,6}") && list.next() + Integer.parseInt(number) >= 0;
        return there ? String.valueOf(list.next() + Integer.parseInt(number)) : UnknownValues.MADE;
    }

    /// Notes an assignment to a list that the shell itself uses.
    private static void special(String name, Evaluator evaluator) {
        if (name.startsWith("BASH_")) {
            evaluator.findings.unknown("It sets a list that decides what the shell runs.");
        }
    }

    /// Sets a variable from a program's words: `export NAME=value`.
    static void set(String name, String value, State state, Evaluator evaluator) {
        set(target(name, state), Variable.of(value), state, evaluator);
    }

    /// Makes a list unknown if a name is that of one of its elements. Returns whether it is.
    static boolean element(String name, State state) {
        int bracket = name.indexOf('[');
        if (bracket > 0) {
            state.variables.put(name.substring(0, bracket), Variable.made());
        }
        return bracket > 0;
    }

    /// Sets a variable on behalf of a command that may fail. If it fails, the variable keeps its old
    /// value.
    static void perhaps(String name, String value, State state, Evaluator evaluator) {
        String target = target(name, state);
        String either = Optional.ofNullable(state.variables.get(target))
                .filter(old -> !old.list())
                .map(old -> evaluator.findings.marks.choice(List.of(old.text(), value)))
                .orElse(value);
        set(name, either, state, evaluator);
    }

    private static void set(String name, Variable given, State state, Evaluator evaluator) {
        Variable value = given;
        if (state.options.contains("integer " + name)) {
            value = Variable.of(evaluator.formulas.value(value.text(), state));
        }
        if (state.options.contains("case " + name)) {
            value = Variable.of(UnknownValues.MADE); // declare -l turns letters into small ones
        }
        if (state.options.contains("readonly " + name)) {
            value = Variable.of(
                    evaluator.findings.marks.choice(List.of(state.text(name).orElse(""), value.text())));
        }
        state.variables.put(name, value);
        if (PROMPTS.contains(name)) {
            evaluator.formulas.inner("[" + value.text() + "]", state);
        }
        if (name.equals("PROMPT_COMMAND")) {
            var _ = evaluator.text(value.text(), state.copy());
        }
        if (name.equals("CDPATH")) {
            evaluator.findings.unknown("It sets where 'cd' looks for folders.");
        }
    }

    /// Returns the variable that is really set: after `declare -n` a name stands for another one.
    static String target(String name, State state) {
        return state.text("&" + name).orElse(name);
    }

    private static Variable list(
            Assignment assignment, String name, boolean associative, State state, Evaluator evaluator) {
        Variable old = state.variables.get(name);
        Variable list = assignment.append() && old != null
                ? old.asList()
                : associative || (old != null && old.associative()) ? Variable.associated() : Variable.of(List.of());
        int next = list.next();
        boolean known = true; // what the words run counts, even where the list itself is not known
        for (ShellWord word : assignment.elements().orElseThrow()) {
            boolean keyed = word.parts().getFirst() instanceof ShellWord.Part.Text(String text, boolean quoted)
                    && !quoted
                    && text.startsWith("[");
            if (!keyed) {
                known &= !list.associative(); // there, keys and values alternate
                for (String field : evaluator.expander.fields(List.of(word), state)) {
                    list = list.with(String.valueOf(next++), field);
                }
                continue;
            }
            String written = evaluator.expander.text(word, state);
            Matcher element = ELEMENT.matcher(written);
            evaluator.formulas.inner(written, state);
            String place = element.matches() ? place(element.group(1), list, state, evaluator) : UnknownValues.MADE;
            if (UnknownValues.any(place)) {
                known = false;
                continue;
            }
            String before = element.group(2).isEmpty() ? "" : list.at(place);
            list = list.with(place, before + element.group(3));
            next = list.associative() || place.length() > 6 ? next : Integer.parseInt(place) + 1;
        }
        return known ? list : Variable.made();
    }
}
