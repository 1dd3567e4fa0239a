package dev.talaria.engine.gate.reading;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Evaluates formulas: `$((...))`, an array's index, a number in a test. A formula can run commands
/// and change variables.
final class Formulas {
    private static final Pattern INNER_COMMAND = Pattern.compile("\\[.*(?:\\$[({]|`)", Pattern.DOTALL);

    private final Evaluator evaluator;
    private final Findings findings;

    Formulas(Evaluator evaluator) {
        this.evaluator = evaluator;
        this.findings = evaluator.findings;
    }

    /// Returns a formula's value. Runs the commands in it.
    String value(String text, State state) {
        String seen = text;
        follow(text, state);
        if (state.options.contains("posix") && text.matches("\\s*[A-Za-z_./][^()]*")) {
            var _ = evaluator.text(text, state.copy()); // a plain `sh` reads `((reboot))` as a command in two subshells
        }
        for (int round = 0; round < 3; round++) { // a variable's value is a formula, too
            inner(seen, state);
            changed(seen, state);
            String next = Arithmetic.withVariables(seen, state);
            if (next.equals(seen)) {
                break;
            }
            seen = next;
        }
        return Arithmetic.value(seen)
                .filter(_ -> !state.options.contains("posix"))
                .map(String::valueOf)
                .orElse(findings.marks.made(seen) ? UnknownValues.MADE : UnknownValues.ORDINARY);
    }

    /// Notes that a formula changes variables, as `i++` does. Each of them then contains some number.
    private void changed(String formula, State state) {
        String number = findings.marks.unknown(UnknownValues.Kind.ORDINARY, "$((...))");
        Arithmetic.changed(formula).forEach(name -> {
            Variable old = state.variables.get(name);
            boolean list = old != null && old.list();
            state.variables.put(
                    name,
                    list
                            ? Variable.made()
                            : Variable.of(old == null ? number : findings.marks.choice(List.of(old.text(), number))));
        });
    }

    /// Runs the commands in an array's index: a formula runs `a[$(reboot)]`, even if the text comes
    /// from a variable.
    void inner(String text, State state) {
        int bracket = text.indexOf('[');
        if (bracket >= 0) {
            follow(text.substring(bracket), state);
        }
        expand(text, state);
    }

    /// Evaluates the values of the variables in a formula: those are formulas, too.
    private void follow(String formula, State state) {
        Optional<Set<String>> values = Arithmetic.values(formula, state, findings.marks);
        if (values.isEmpty()) {
            findings.unknown("It computes with texts that are too long.");
        }
        for (String value : values.orElse(Set.of())) {
            if (INNER_COMMAND.matcher(value).find()) {
                expand(value, state);
                findings.unknown("It computes with a text that runs commands.");
            }
        }
    }

    private void expand(String text, State state) {
        if (!INNER_COMMAND.matcher(text).find() || !findings.admit(text.length(), evaluator.depth + 1)) {
            return;
        }
        evaluator.depth++;
        try {
            ShellWord word = new WordParser(new Source(text, findings, evaluator.depth)).document();
            var _ = evaluator.expander.text(word, state);
        } catch (Source.SyntaxProblem trouble) {
            findings.unknown("An index in it cannot be read.");
        }
        evaluator.depth--;
    }
}
