package dev.talaria.engine.decide.reading;

import dev.talaria.engine.decide.reading.Node.Assignment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How variables get their values.
final class Assignments {
    private static final Pattern ELEMENT = Pattern.compile("\\[([^\\]]*)\\]\\+?=(.*)", Pattern.DOTALL);

    /// Variables whose values a shell expands by itself, and so runs what is in them.
    private static final Set<String> PROMPTS = Set.of("PS0", "PS1", "PS2", "PS3", "PS4");

    private Assignments() {}

    static void set(Assignment assignment, Optional<String> key, String value, State state, Evaluator evaluator) {
        String name = target(assignment.name(), state);
        if (assignment.elements().isPresent()) {
            state.variables.put(name, list(assignment, name, state, evaluator));
            return;
        }
        Variable old = state.variables.get(name);
        String before = old == null ? "" : old.text();
        if (key.isEmpty()) {
            String whole = assignment.append() ? before + value : value;
            set(name, old != null && old.list() ? old.with("0", whole) : Variable.of(whole), state, evaluator);
            return;
        }
        String place = key.get().matches("[A-Za-z_]\\w*") ? key.get() : evaluator.formula(key.get(), state);
        if (Marks.any(place) || name.equals("BASH_CMDS")) {
            state.variables.put(name, Variable.of(List.of(Marks.MADE)));
            if (evaluator.findings.marks.made(place) || name.startsWith("BASH_")) {
                evaluator.findings.unknown("It sets an element of a list, and which one cannot be told beforehand.");
            }
            return;
        }
        if (name.equals("BASH_ALIASES")) {
            state.aliases.put(key.get(), Set.of(value));
        }
        Variable list = old == null ? Variable.of(List.of()) : old;
        String element = assignment.append() ? list.elements().getOrDefault(place, "") + value : value;
        state.variables.put(name, list.with(place, element));
    }

    /// Sets a variable as a program's words say it: `export NAME=value`.
    static void set(String name, String value, State state, Evaluator evaluator) {
        set(target(name, state), Variable.of(value), state, evaluator);
    }

    /// Sets a variable as a command does that may fail: then it stays as it was.
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
            value = Variable.of(evaluator.formula(value.text(), state));
        }
        if (state.options.contains("case " + name)) {
            value = Variable.of(Marks.MADE); // declare -l has letters become small
        }
        if (state.options.contains("readonly " + name)) {
            value = Variable.of(
                    evaluator.findings.marks.choice(List.of(state.text(name).orElse(""), value.text())));
        }
        state.variables.put(name, value);
        if (PROMPTS.contains(name)) {
            evaluator.inner("[" + value.text() + "]", state);
        }
        if (name.equals("PROMPT_COMMAND")) {
            var _ = evaluator.text(value.text(), state.copy());
        }
        if (name.equals("CDPATH")) {
            evaluator.findings.unknown("It sets where 'cd' looks for folders.");
        }
    }

    /// Returns the variable that is really set: `declare -n` makes one name stand for another.
    static String target(String name, State state) {
        return state.text("&" + name).orElse(name);
    }

    private static Variable list(Assignment assignment, String name, State state, Evaluator evaluator) {
        Variable old = state.variables.get(name);
        Variable list =
                assignment.append() && old != null ? new Variable(old.elements(), true) : Variable.of(List.of());
        List<String> fields = new ArrayList<>();
        assignment.elements().orElseThrow().forEach(word -> {
            boolean keyed = word.parts().getFirst() instanceof ShellWord.Part.Text(String text, boolean quoted)
                    && !quoted
                    && text.startsWith("[");
            if (keyed) {
                fields.add(evaluator.expander.text(word, state));
            } else {
                evaluator.expander.fields(List.of(word), state).forEach(field -> fields.add(" " + field));
            }
        });
        for (String field : fields) {
            Matcher element = ELEMENT.matcher(field);
            boolean keyed = !field.startsWith(" ") && element.matches();
            list = keyed
                    ? list.with(element.group(1).replaceAll("['\"]", ""), element.group(2))
                    : list.with(String.valueOf(list.next()), field.startsWith(" ") ? field.substring(1) : field);
        }
        return list;
    }
}
