package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.ShellWord.Part;
import dev.talaria.engine.gate.reading.UnknownValues.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/// Expands `$name` and `${name...}`.
final class Parameters {
    /// Variables that are set but say nothing about the command.
    private static final Pattern FROM_OUTSIDE = Pattern.compile(
            "RANDOM|SRANDOM|SECONDS|LINENO|E?UID|PPID|BASHPID|EPOCH\\w+|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|USER|LOGNAME|"
                    + "TERM|LANG|LC_\\w+|BASH_VERS\\w+|SHELLOPTS|BASHOPTS|GROUPS|TMPDIR|DISPLAY|COLUMNS|LINES|OPTIND|"
                    + "PIPESTATUS|REPLY");

    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_]\\w*|\\d{1,3}");
    private static final List<String> EVERYWHERE =
            List.of("PATH", "USER", "LOGNAME", "HOSTNAME", "OSTYPE", "BASH_VERSION", "BASHPID", "UID", "EUID", "PPID");

    private final Evaluator evaluator;
    private final Findings findings;
    private final Expander expander;
    private final ValueChanges changes;

    Parameters(Evaluator evaluator, Expander expander) {
        this.evaluator = evaluator;
        this.findings = evaluator.findings;
        this.expander = expander;
        this.changes = new ValueChanges(evaluator, expander);
    }

    /// The values of a parameter.
    ///
    /// @param separate whether each value is a word of its own, even in quotes
    /// @param glue the text between the values in one word
    record Values(List<String> texts, boolean separate, String glue) {
        static Values of(String text) {
            return new Values(List.of(text), false, " ");
        }

        static Values separate(List<String> texts) {
            return new Values(texts, true, " ");
        }

        /// Returns whether there is any value, or a value that is not empty.
        boolean filled(boolean empties) {
            return !texts.isEmpty() && !(empties && texts.stream().allMatch(String::isEmpty));
        }
    }

    Values value(Part.Parameter parameter, State state) {
        Values found = found(parameter, state);
        found.texts().forEach(findings::expand);
        return findings.over() ? Values.of("") : found;
    }

    private Values found(Part.Parameter parameter, State state) {
        if (parameter.operator().equals("names")) {
            return Values.of(UnknownValues.MADE);
        }
        if (parameter.prefix().equals("!")) {
            return indirect(parameter, state);
        }
        Optional<Values> known = lookup(parameter.name(), parameter.subscript(), state);
        if (parameter.prefix().equals("#")) {
            return Values.of(length(parameter, known));
        }
        return parameter.operator().isEmpty()
                ? known.orElseGet(() -> Values.of(unset(parameter.name())))
                : operated(parameter, known, state);
    }

    private String unset(String name) {
        if (OwnVariables.fromText(name)) {
            return UnknownValues.MADE;
        }
        boolean outside = FROM_OUTSIDE.matcher(name).matches();
        return findings.marks.unknown(outside ? Kind.ORDINARY : Kind.UNSET, "$" + name);
    }

    private Values indirect(Part.Parameter parameter, State state) {
        if (all(parameter.subscript()) && parameter.operator().isEmpty()) {
            return Optional.ofNullable(state.variables.get(parameter.name()))
                    .map(variable -> variable.values().stream().anyMatch(findings.marks::made)
                            ? Values.of(UnknownValues.MADE)
                            : Values.separate(variable.keys())) // ${!a[@]}
                    .orElse(Values.separate(List.of()));
        }
        String name = lookup(parameter.name(), parameter.subscript(), state)
                .map(values -> expander.way(String.join(" ", values.texts())))
                .orElse("");
        evaluator.formulas.inner(name, state);
        boolean plain = PLAIN_NAME.matcher(name).matches()
                && parameter.subscript().isEmpty()
                && !state.variables.has("&" + parameter.name());
        return plain
                ? found(
                        new Part.Parameter(
                                name,
                                "",
                                Optional.empty(),
                                parameter.operator(),
                                parameter.operand(),
                                parameter.second(),
                                parameter.quoted()),
                        state)
                : Values.of(UnknownValues.MADE);
    }

    /// Returns whether a name or an index stands for all values.
    private static boolean all(String name) {
        return name.equals("@") || name.equals("*");
    }

    private static boolean all(Optional<ShellWord> subscript) {
        return subscript.flatMap(ShellWord::literal).filter(Parameters::all).isPresent();
    }

    private static String length(Part.Parameter parameter, Optional<Values> known) {
        boolean counts = all(parameter.name()) || all(parameter.subscript());
        if (known.isEmpty()) {
            return UnknownValues.ORDINARY; // it may be set where the command starts
        }
        List<String> texts = known.get().texts();
        if (texts.stream().anyMatch(UnknownValues::any)) {
            return UnknownValues.ORDINARY;
        }
        if (!counts && !texts.stream().allMatch(PlainText::ascii)) {
            return UnknownValues.MADE; // the number of letters depends on the locale
        }
        return String.valueOf(
                counts ? texts.size() : texts.isEmpty() ? 0 : texts.getFirst().length());
    }

    /// Returns the value of a variable; nothing if it is not set as far as is known.
    private Optional<Values> lookup(String name, Optional<ShellWord> subscript, State state) {
        if (Character.isDigit(name.charAt(0))) {
            return Optional.of(Values.of(argument(name, state)));
        }
        return switch (name) {
            case "@" -> Optional.of(Values.separate(state.arguments));
            case "*" -> Optional.of(new Values(state.arguments, false, glue(state)));
            case "#" ->
                Optional.of(Values.of(
                        state.arguments.contains(UnknownValues.MADE)
                                ? UnknownValues.MADE
                                : String.valueOf(state.arguments.size())));
            case "?", "$", "!", "-" -> Optional.of(Values.of(findings.marks.unknown(Kind.ORDINARY, "$" + name)));
            default -> {
                Variable variable = state.variables.get(Assignments.target(name, state));
                yield variable == null
                        ? missing(name, subscript, state)
                        : Optional.of(
                                OwnVariables.computed(name)
                                        ? Values.of(UnknownValues.MADE)
                                        : subscript
                                                .map(key -> element(variable, key, state))
                                                .orElseGet(() -> whole(name, variable, state)));
            }
        };
    }

    private static String argument(String name, State state) {
        int index = name.length() > 4 ? Integer.MAX_VALUE : Integer.parseInt(name);
        if (state.arguments.contains(UnknownValues.MADE)) {
            return UnknownValues.MADE;
        }
        if (index == 0) {
            return state.text("0").orElse("bash");
        }
        return index <= state.arguments.size() ? state.arguments.get(index - 1) : "";
    }

    /// Returns the value of a variable that this text does not set.
    private Optional<Values> missing(String name, Optional<ShellWord> subscript, State state) {
        boolean all = all(subscript);
        subscript.filter(_ -> !all).ifPresent(index -> {
            var _ = expander.formula(index, state); // a command in the index runs nevertheless
        });
        if (OwnVariables.fromText(name)) {
            return Optional.of(Values.of(UnknownValues.MADE));
        }
        if (all) {
            return Optional.of(Values.separate(List.of())); // lists are not inherited
        }
        return switch (name) {
            case "IFS" -> Optional.of(Values.of(Expander.USUAL_SEPARATORS));
            case "SHELL", "BASH" -> Optional.of(Values.of("/bin/bash"));
            case "PWD" -> Optional.of(Values.of(state.folder));
            default -> Optional.empty();
        };
    }

    private static Values whole(String name, Variable variable, State state) {
        boolean gone = variable.list() && variable.elements().isEmpty();
        if (gone && state.options.contains("unset " + name)) {
            return new Values(List.of(), false, "");
        }
        boolean unknown = variable.list() && !gone && !variable.elements().containsKey("0");
        return Values.of(unknown ? UnknownValues.MADE : variable.text());
    }

    private Values element(Variable variable, ShellWord subscript, State state) {
        String key = expander.text(subscript, state);
        if (key.equals("@")) {
            return Values.separate(variable.values());
        }
        if (key.equals("*")) {
            return new Values(variable.values(), false, glue(state));
        }
        if (variable.associative()) {
            return Values.of(UnknownValues.any(key) ? UnknownValues.MADE : variable.at(key));
        }
        String number = expander.formula(ShellWord.of(key), state);
        if (UnknownValues.any(number)) {
            return Values.of(UnknownValues.MADE);
        }
        String place = number.startsWith("-") && number.matches("-\\d{1,6}")
                ? String.valueOf(variable.next() + Integer.parseInt(number))
                : number;
        return Values.of(variable.at(place));
    }

    private String glue(State state) {
        String separators = expander.ifs(state);
        return separators.isEmpty() ? "" : separators.substring(0, 1);
    }

    private Values operated(Part.Parameter parameter, Optional<Values> known, State state) {
        String operator = parameter.operator();
        char kind = operator.charAt(operator.length() - 1);
        boolean empties = operator.startsWith(":");
        return switch (operator) {
            case ":-", "-", ":=", "=" -> {
                if (kind == '=' && parameter.subscript().isPresent()) {
                    findings.unknown("It sets an element of a list on its way through a word.");
                }
                yield perhaps(parameter, known, state)
                        .or(() -> inherited(parameter, known, state))
                        .or(() -> known.filter(values -> values.filled(empties)))
                        .orElseGet(() -> {
                            String other = expander.text(parameter.operand(), state);
                            if (kind == '=') {
                                assign(parameter, other, state);
                            }
                            return words(parameter, other, state);
                        });
            }
            case ":+", "+" -> {
                Values other = words(parameter, expander.text(parameter.operand(), state), state);
                boolean filled = known.filter(values -> values.filled(empties)).isPresent();
                // It is not known whether a variable that this text does not set is set.
                yield known.isEmpty()
                        ? Values.of(findings.marks.choice(List.of(String.join(" ", other.texts()), "")))
                        : filled ? other : Values.of("");
            }
            case ":?", "?" -> {
                var _ = expander.text(parameter.operand(), state);
                yield known.orElseGet(() -> Values.of(unset(parameter.name())));
            }
            default -> {
                Values values = known.orElseGet(() -> Values.of(unset(parameter.name())));
                boolean several = values.separate() || parameter.name().equals("*");
                yield operator.equals(":") && several
                        ? sliced(parameter, values, state)
                        : new Values(
                                values.texts().stream()
                                        .map(text -> each(text, one -> changes.of(parameter, one, state)))
                                        .toList(),
                                values.separate(),
                                values.glue());
            }
        };
    }

    /// Sets a variable as `${name:=value}` does.
    private void assign(Part.Parameter parameter, String value, State state) {
        if (parameter.subscript().isPresent()) {
            state.variables.put(Assignments.target(parameter.name(), state), Variable.made());
        } else {
            Assignments.set(parameter.name(), value, state, evaluator);
        }
    }

    /// Expands a value that is empty on some ways: there its replacement stands for it.
    private Optional<Values> perhaps(Part.Parameter parameter, Optional<Values> known, State state) {
        Optional<String> choice = known.filter(values -> values.texts().size() == 1)
                .map(values -> values.texts().getFirst())
                .filter(text -> findings.marks.options(text).isPresent());
        return choice.map(text -> {
            String other = expander.text(parameter.operand(), state);
            String either = each(text, one -> one.isEmpty() ? other : one);
            if (parameter.operator().endsWith("=")) {
                assign(parameter, either, state);
            }
            return Values.of(either);
        });
    }

    /// Expands a variable that every environment has: its own value counts beside its replacement.
    private Optional<Values> inherited(Part.Parameter parameter, Optional<Values> known, State state) {
        boolean there = known.isEmpty() && EVERYWHERE.contains(parameter.name());
        return there
                ? Optional.of(Values.of(findings.marks.choice(List.of(
                        findings.marks.unknown(Kind.ORDINARY, "$" + parameter.name()),
                        expander.text(parameter.operand(), state)))))
                : Optional.empty();
    }

    /// Returns the replacement of a missing value. Outside of quotes its own quotes count.
    private Values words(Part.Parameter parameter, String text, State state) {
        if (parameter.quoted()) {
            return Values.of(text);
        }
        List<String> fields = expander.fields(List.of(parameter.operand()), state);
        return fields.size() > 1 ? Values.separate(fields) : Values.of(text);
    }

    /// Changes each of the texts that a value may be.
    private String each(String text, UnaryOperator<String> change) {
        String way = expander.way(text);
        return findings.marks
                .options(way)
                .map(options -> findings.marks.choice(
                        options.stream().map(option -> each(option, change)).toList()))
                .orElseGet(() -> change.apply(way));
    }

    private Values sliced(Part.Parameter parameter, Values values, State state) {
        String start = expander.formula(parameter.operand(), state);
        String count =
                parameter.second().map(word -> expander.formula(word, state)).orElse("1000");
        if (!start.strip().matches("\\d{1,6}") || !count.strip().matches("\\d{1,6}")) {
            return Values.of(UnknownValues.MADE);
        }
        if (values.texts().contains(UnknownValues.MADE)) { // it may stand for any number of values
            return Values.of(UnknownValues.MADE);
        }
        boolean arguments = all(parameter.name());
        Variable list = state.variables.get(Assignments.target(parameter.name(), state));
        if (!arguments && (list == null || !list.dense())) {
            return Values.of(UnknownValues.MADE);
        }
        List<String> all = new ArrayList<>(values.texts());
        if (arguments) {
            all.addFirst(state.text("0").orElse("bash"));
        }
        int first = Math.min(Integer.parseInt(start.strip()), all.size());
        int last = Math.min(first + Integer.parseInt(count.strip()), all.size());
        return new Values(List.copyOf(all.subList(first, last)), values.separate(), values.glue());
    }
}
