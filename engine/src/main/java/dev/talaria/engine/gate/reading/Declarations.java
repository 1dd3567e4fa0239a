package dev.talaria.engine.gate.reading;

import java.util.List;
import java.util.Set;

/// Evaluates the builtins that declare variables and functions, and those that remove them.
final class Declarations {
    private final Evaluator evaluator;
    private final Findings findings;
    private final LocalVariables locals;

    Declarations(Evaluator evaluator, LocalVariables locals) {
        this.evaluator = evaluator;
        this.findings = evaluator.findings;
        this.locals = locals;
    }

    /// Evaluates `declare`, `local`, `export` and `readonly`.
    Outcome declare(String program, List<String> arguments, State state) {
        String letters = "";
        for (String text : arguments) {
            boolean option = text.length() > 1 && (text.charAt(0) == '-' || text.charAt(0) == '+');
            if (option) {
                letters += text;
            } else {
                declare(program, letters, text, state);
            }
        }
        boolean prints = letters.indexOf('p') > 0 || letters.indexOf('f') > 0 || arguments.isEmpty();
        return Outcome.SILENT.printing(prints ? UnknownValues.MADE : "");
    }

    private void declare(String program, String letters, String text, State state) {
        evaluator.formulas.inner(text, state);
        int equals = text.indexOf('=');
        boolean more = equals > 0 && text.charAt(equals - 1) == '+';
        String name = equals < 0 ? text : text.substring(0, more ? equals - 1 : equals);
        if (letters.indexOf('f') > 0) {
            if (program.equals("readonly") || letters.indexOf('r') > 0) {
                state.options.add("readonly function " + name);
            }
            if (program.equals("export") || letters.indexOf('x') > 0) {
                state.exported.add(name + "()");
                state.functions.getOrDefault(name, Set.of()).forEach(body -> evaluator.run(body.body(), state.copy()));
            }
            return;
        }
        boolean exports = program.equals("export");
        boolean takesBack = exports ? letters.indexOf('n') > 0 : letters.matches(".*\\+\\w*x.*");
        if (takesBack) {
            state.options.add("unexported");
        }
        if (letters.indexOf('n') > 0 && !exports) {
            findings.unknown("It has one variable stand for another.");
        }
        if (Set.of("SHELLOPTS", "BASHOPTS").contains(name)) {
            findings.unknown("It hands the shell's options to other shells.");
        }
        if (letters.indexOf('l') > 0 || letters.indexOf('u') > 0) {
            state.options.add("case " + name);
        }
        if (letters.indexOf('i') > 0) {
            state.options.add("integer " + name);
        }
        if (!exports && !program.equals("readonly")) {
            declareLocal(name, letters.indexOf('g') > 0, equals < 0, state);
        }
        if (equals > 0) {
            String value = text.substring(equals + 1);
            if (letters.indexOf('n') > 0 && !exports) {
                state.set("&" + name, value);
                return;
            }
            findings.compounded();
            if (!Assignments.element(name, state)) {
                Assignments.perhaps(name, more ? state.text(name).orElse("") + value : value, state, evaluator);
            }
            Variable old = state.variables.get(name);
            boolean list = letters.indexOf('a') > 0 || letters.indexOf('A') > 0 || (old != null && old.list());
            if (list && value.startsWith("(")) {
                findings.unknown("It has the shell make a list of a text.");
            }
            OwnVariables.assigned(name, state, findings);
            CommandSettings.of(name + "=" + value)
                    .ifPresent(commands -> evaluator.text(commands, state.child(findings.marks)));
        }
        if (program.equals("readonly") || letters.indexOf('r') > 0) {
            state.options.add("readonly");
            state.options.add("readonly " + name);
        }
        if (program.equals("export") || letters.indexOf('x') > 0) {
            state.exported.add(name);
        }
    }

    /// Notes a variable of a function.
    ///
    /// @param outside whether it is set where no function has declared it
    /// @param bare whether it gets no value
    private void declareLocal(String name, boolean outside, boolean bare, State state) {
        boolean clear = outside ? locals.outside(name) : locals.add(name, state);
        if (!clear) {
            findings.unknown("It sets a variable inside of a function and outside of it.");
        }
        Variable old = state.variables.get(name);
        if (!outside && bare && locals.inside()) {
            if (name.equals("IFS")) {
                state.set(
                        name,
                        findings.marks.choice(List.of(
                                state.text(name).orElse(Expander.USUAL_SEPARATORS), Expander.USUAL_SEPARATORS)));
            } else if (old != null) {
                state.variables.put(
                        name,
                        old.list() ? Variable.made() : Variable.of(findings.marks.choice(List.of(old.text(), ""))));
            }
        }
    }

    void unset(List<String> arguments, State state) {
        boolean functions = arguments.stream().anyMatch(word -> word.matches("-[a-z]*f[a-z]*"));
        boolean variables = arguments.stream().anyMatch(word -> word.matches("-[a-z]*v[a-z]*"));
        for (String name : arguments) {
            if (name.startsWith("-")) {
                continue;
            }
            if (!functions) {
                unsetVariable(name, state);
            }
            if (!variables && state.functions.containsKey(name)) {
                state.options.add("maybe " + name); // it may be read-only, or there is a variable of that name
            }
        }
    }

    private void unsetVariable(String name, State state) {
        evaluator.formulas.inner(name, state);
        if (state.options.contains("readonly " + name)) {
            return;
        }
        int bracket = name.indexOf('[');
        if (bracket > 0) {
            var _ = evaluator.formulas.value(name.substring(bracket + 1).replaceFirst("]$", ""), state);
            state.variables.put(name.substring(0, bracket), Variable.made());
            return;
        }
        if (locals.further(name)) {
            state.set(name, UnknownValues.MADE); // then the variable outside of that function is visible
            return;
        }
        if (name.equals("IFS")) {
            state.set(name, Expander.USUAL_SEPARATORS);
            return;
        }
        if (name.equals("HOME")) {
            state.variables.remove(name); // without HOME, '~' is the home that the system knows
            return;
        }
        state.variables.put(Assignments.target(name, state), Variable.of(List.of()));
        state.options.add("unset " + name);
        state.variables.remove("&" + name);
    }
}
