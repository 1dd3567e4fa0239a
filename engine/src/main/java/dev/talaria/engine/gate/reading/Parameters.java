package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.ShellWord.Part;
import dev.talaria.engine.gate.reading.UnknownValues.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Expands `$name` and `${name...}`.
final class Parameters {
    /// Variables that are set but say nothing about the command.
    private static final Pattern FROM_OUTSIDE = Pattern.compile(
            "RANDOM|SRANDOM|SECONDS|LINENO|E?UID|PPID|BASHPID|EPOCH\\w+|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|USER|LOGNAME|"
                    + "TERM|LANG|LC_\\w+|BASH_VERS\\w+|SHELLOPTS|BASHOPTS|GROUPS|TMPDIR|DISPLAY|COLUMNS|LINES|OPTIND|"
                    + "PIPESTATUS|REPLY");

    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_]\\w*|\\d{1,3}");
    private static final Pattern EXTENDED = Pattern.compile("[@!?*+]\\(");
    private static final List<String> EVERYWHERE =
            List.of("PATH", "USER", "LOGNAME", "HOSTNAME", "OSTYPE", "BASH_VERSION", "BASHPID", "UID", "EUID", "PPID");
    private static final List<String> SHELLS = List.of("SHELL", "BASH");

    private final Findings findings;
    private final Expander expander;

    Parameters(Findings findings, Expander expander) {
        this.findings = findings;
        this.expander = expander;
    }

    /// The values of a parameter.
    ///
    /// @param separate whether each value is a word of its own, even in quotes
    /// @param glue the text between the values in one word
    record Values(List<String> texts, boolean separate, String glue) {
        static Values of(String text) {
            return new Values(List.of(text), false, " ");
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
        Optional<String> subscript = parameter.subscript().flatMap(ShellWord::literal);
        if (subscript.filter(key -> key.equals("@") || key.equals("*")).isPresent()
                && parameter.operator().isEmpty()) {
            return Optional.ofNullable(state.variables.get(parameter.name()))
                    .map(variable -> variable.values().stream().anyMatch(findings.marks::made)
                            ? Values.of(UnknownValues.MADE)
                            : new Values(variable.keys(), true, " ")) // ${!a[@]}
                    .orElse(new Values(List.of(), true, " "));
        }
        String name = lookup(parameter.name(), parameter.subscript(), state)
                .map(values -> expander.way(String.join(" ", values.texts())))
                .orElse("");
        expander.inner(name, state);
        boolean plain = PLAIN_NAME.matcher(name).matches()
                && parameter.subscript().isEmpty()
                && !state.variables.containsKey("&" + parameter.name());
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

    private static String length(Part.Parameter parameter, Optional<Values> known) {
        boolean counts = parameter.name().equals("@")
                || parameter.name().equals("*")
                || parameter
                        .subscript()
                        .flatMap(ShellWord::literal)
                        .filter(key -> key.equals("@") || key.equals("*"))
                        .isPresent();
        if (known.isEmpty()) {
            return UnknownValues.ORDINARY; // it may be set where the command starts
        }
        List<String> texts = known.get().texts();
        if (texts.stream().anyMatch(UnknownValues::any)) {
            return UnknownValues.ORDINARY;
        }
        if (!counts && !texts.stream().allMatch(Parameters::ascii)) {
            return UnknownValues.MADE; // the number of letters depends on the locale
        }
        return String.valueOf(
                counts ? texts.size() : texts.isEmpty() ? 0 : texts.getFirst().length());
    }

    /// Returns the value of a variable; nothing if it is not set as far as is known.
    private Optional<Values> lookup(String name, Optional<ShellWord> subscript, State state) {
        if (Character.isDigit(name.charAt(0))) {
            int index = name.length() > 4 ? Integer.MAX_VALUE : Integer.parseInt(name);
            if (state.arguments.contains(UnknownValues.MADE)) {
                return Optional.of(Values.of(UnknownValues.MADE));
            }
            return index == 0
                    ? Optional.of(Values.of(state.text("0").orElse("bash")))
                    : index <= state.arguments.size()
                            ? Optional.of(Values.of(state.arguments.get(index - 1)))
                            : Optional.of(Values.of(""));
        }
        switch (name) {
            case "@" -> {
                return Optional.of(new Values(state.arguments, true, " "));
            }
            case "*" -> {
                return Optional.of(new Values(state.arguments, false, glue(state)));
            }
            case "#" -> {
                return Optional.of(Values.of(
                        state.arguments.contains(UnknownValues.MADE)
                                ? UnknownValues.MADE
                                : String.valueOf(state.arguments.size())));
            }
            case "?", "$", "!", "-" -> {
                return Optional.of(Values.of(findings.marks.unknown(Kind.ORDINARY, "$" + name)));
            }
            default -> {}
        }
        Variable variable = state.variables.get(Assignments.target(name, state));
        boolean all = subscript
                .flatMap(ShellWord::literal)
                .filter(key -> key.equals("@") || key.equals("*"))
                .isPresent();
        if (variable == null && subscript.isPresent() && !all) {
            var _ = expander.formula(subscript.get(), state); // a command in the index runs nevertheless
        }
        if (variable != null && OwnVariables.computed(name)) {
            return Optional.of(Values.of(UnknownValues.MADE));
        }
        if (variable == null && OwnVariables.fromText(name)) {
            return Optional.of(Values.of(UnknownValues.MADE));
        }
        if (variable == null && all) {
            return Optional.of(new Values(List.of(), true, " ")); // lists are not inherited
        }
        if (variable == null) {
            if (name.equals("IFS")) {
                return Optional.of(Values.of(" \t\n"));
            }
            return SHELLS.contains(name)
                    ? Optional.of(Values.of("/bin/bash"))
                    : name.equals("PWD") ? Optional.of(Values.of(state.folder)) : Optional.empty();
        }
        if (subscript.isEmpty()) {
            boolean gone = variable.list() && variable.elements().isEmpty();
            return gone && state.options.contains("unset " + name)
                    ? Optional.of(new Values(List.of(), false, ""))
                    : Optional.of(Values.of(
                            variable.list()
                                            && !variable.elements().containsKey("0")
                                            && !variable.elements().isEmpty()
                                    ? UnknownValues.MADE
                                    : variable.text()));
        }
        String key = expander.text(subscript.get(), state);
        if (key.equals("@")) {
            return Optional.of(new Values(variable.values(), true, " "));
        }
        if (key.equals("*")) {
            return Optional.of(new Values(variable.values(), false, glue(state)));
        }
        if (variable.associative()) {
            return Optional.of(Values.of(UnknownValues.any(key) ? UnknownValues.MADE : variable.at(key)));
        }
        String number = expander.formula(ShellWord.of(key), state);
        if (UnknownValues.any(number)) {
            return Optional.of(Values.of(UnknownValues.MADE));
        }
        String place = number.startsWith("-") && number.matches("-\\d{1,6}")
                ? String.valueOf(variable.next() + Integer.parseInt(number))
                : number;
        return Optional.of(Values.of(variable.at(place)));
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
                        .orElseGet(() -> known.filter(
                                        values -> !values.texts().isEmpty() && (!empties || !isEmpty(values)))
                                .orElseGet(() -> {
                                    String other = expander.text(parameter.operand(), state);
                                    if (kind == '=') {
                                        expander.assign(parameter, other, state);
                                    }
                                    return words(parameter, other, state);
                                }));
            }
            case ":+", "+" -> {
                Values other = words(parameter, expander.text(parameter.operand(), state), state);
                boolean filled = known.filter(values -> !values.texts().isEmpty() && (!empties || !isEmpty(values)))
                        .isPresent();
                // It is not known whether a variable that this text does not set is set.
                yield filled || known.isPresent()
                        ? filled ? other : Values.of("")
                        : Values.of(findings.marks.choice(List.of(String.join(" ", other.texts()), "")));
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
                                        .map(text -> each(text, one -> changed(parameter, one, state)))
                                        .toList(),
                                values.separate(),
                                values.glue());
            }
        };
    }

    /// Expands a value that is empty on some ways: there its replacement stands for it.
    private Optional<Values> perhaps(Part.Parameter parameter, Optional<Values> known, State state) {
        Optional<String> choice = known.filter(values -> values.texts().size() == 1)
                .map(values -> values.texts().getFirst())
                .filter(text -> text.length() == 1
                        && findings.marks
                                .of(text.charAt(0))
                                .filter(mark -> mark.kind() == Kind.CHOICE)
                                .isPresent());
        return choice.map(text -> {
            String other = expander.text(parameter.operand(), state);
            String either = each(text, one -> one.isEmpty() ? other : one);
            if (parameter.operator().endsWith("=")) {
                expander.assign(parameter, either, state);
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
        return fields.size() > 1 ? new Values(fields, true, " ") : Values.of(text);
    }

    private static boolean isEmpty(Values values) {
        return values.texts().stream().allMatch(String::isEmpty);
    }

    /// Changes each of the texts that a value may be.
    private String each(String text, UnaryOperator<String> change) {
        String way = expander.way(text);
        if (way.length() == 1) {
            Optional<UnknownValues.Mark> mark = findings.marks.of(way.charAt(0));
            if (mark.filter(one -> one.kind() == Kind.CHOICE).isPresent()) {
                return findings.marks.choice(mark.get().options().stream()
                        .map(option -> each(option, change))
                        .toList());
            }
        }
        return change.apply(way);
    }

    private String changed(Part.Parameter parameter, String given, State state) {
        String text = expander.folder(given);
        String operator = parameter.operator();
        String operand = operator.equals(":") || operator.equals("@")
                ? expander.text(parameter.operand(), state)
                : expander.pattern(parameter.operand(), state);
        String second =
                parameter.second().map(word -> expander.text(word, state)).orElse("");
        if (text.length() == 1 && findings.marks.has(text, Kind.UNSET)) {
            return text;
        }
        if (UnknownValues.any(text) || UnknownValues.any(operand) || UnknownValues.any(second)) {
            return unknown(text + operand + second, operator);
        }
        boolean pattern = !operator.equals(":") && !operator.equals("@");
        boolean odd =
                !Globs.plain(operand) || EXTENDED.matcher(operand).find() || state.options.contains("nocasematch");
        if (pattern && odd) {
            return UnknownValues.MADE;
        }
        return switch (operator) {
            case "#", "##" -> withoutBeginning(text, operand, operator.length() > 1);
            case "%", "%%" -> withoutEnd(text, operand, operator.length() > 1);
            case "/", "//", "/#", "/%" -> replaced(text, operand, second, operator);
            case "^", "^^", ",", ",," -> operand.isEmpty() && ascii(text) ? cased(text, operator) : UnknownValues.MADE;
            case ":" ->
                !ascii(text)
                        ? UnknownValues.MADE
                        : part(text, operand, parameter.second().map(_ -> second), state);
            case "@" -> transformed(text, operand);
            default -> UnknownValues.MADE;
        };
    }

    private static boolean ascii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }

    private static String cased(String text, String operator) {
        int end = operator.length() > 1 ? text.length() : Math.min(1, text.length());
        String first = text.substring(0, end);
        return (operator.startsWith("^") ? upper(first) : lower(first)) + text.substring(end);
    }

    /// Returns the mark for a changed unknown value. A piece that is cut out of it may be exactly
    /// what somebody wanted.
    private String unknown(String texts, String operator) {
        boolean cut =
                operator.equals(":") || operator.equals("@") || operator.startsWith("^") || operator.startsWith(",");
        if (cut || findings.marks.made(texts)) {
            return UnknownValues.MADE;
        }
        return UnknownValues.ORDINARY;
    }

    private String transformed(String text, String letter) {
        if (letter.equals("P")) {
            return prompt(text);
        }
        if (!text.chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
            return UnknownValues.MADE;
        }
        return switch (letter) {
            case "U" -> upper(text);
            case "u" -> cased(text, "^");
            case "L" -> lower(text);
            case "E" -> AnsiQuotes.decode(text);
            case "Q" -> "'" + text.replace("'", "'\\''") + "'";
            default -> UnknownValues.MADE;
        };
    }

    private String prompt(String text) {
        findings.unknown("It expands a text as a prompt, which may run commands.");
        return text;
    }

    private static String upper(String text) {
        return text.toUpperCase(Locale.ROOT);
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    private String part(String text, String from, Optional<String> length, State state) {
        String start = expander.formula(ShellWord.of(from), state);
        String count =
                length.map(one -> expander.formula(ShellWord.of(one), state)).orElse("");
        if (!start.strip().matches("-?\\d{1,6}") || !count.strip().matches("-?\\d{0,6}")) {
            return UnknownValues.MADE;
        }
        int begin = Integer.parseInt(start.strip());
        int first = Math.clamp(begin < 0 ? text.length() + begin : begin, 0, text.length());
        int many = count.isBlank() ? text.length() : Integer.parseInt(count.strip());
        int last = Math.clamp(many < 0 ? text.length() + many : (long) first + many, first, text.length());
        return begin < 0 && -begin > text.length() ? "" : text.substring(first, last);
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
        boolean arguments = parameter.name().equals("@") || parameter.name().equals("*");
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

    private static String withoutBeginning(String text, String glob, boolean longest) {
        Pattern pattern = Globs.pattern(glob);
        for (int i = 0; i <= text.length(); i++) {
            int end = longest ? text.length() - i : i;
            if (pattern.matcher(text.substring(0, end)).matches()) {
                return text.substring(end);
            }
        }
        return text;
    }

    private static String withoutEnd(String text, String glob, boolean longest) {
        Pattern pattern = Globs.pattern(glob);
        for (int i = 0; i <= text.length(); i++) {
            int start = longest ? i : text.length() - i;
            if (pattern.matcher(text.substring(start)).matches()) {
                return text.substring(0, start);
            }
        }
        return text;
    }

    private static String replaced(String text, String glob, String by, String operator) {
        String anchored = operator.equals("/#") ? "\\A" : "";
        String end = operator.equals("/%") ? "\\z" : "";
        Optional<Pattern> pattern = Globs.compiled(anchored + "(?:" + Globs.regex(glob, true) + ")" + end);
        if (pattern.isEmpty()) {
            return UnknownValues.MADE;
        }
        // In the replacement, `&` stands for the replaced text. A pattern that matches an empty text
        // matches in odd places.
        if (by.indexOf('&') >= 0
                || (!glob.isEmpty() && pattern.get().matcher("").find())) {
            return UnknownValues.MADE;
        }
        Matcher matcher = pattern.get().matcher(text);
        String quoted = Matcher.quoteReplacement(by);
        if (glob.isEmpty()) {
            return operator.equals("/#") ? by + text : operator.equals("/%") ? text + by : text;
        }
        return operator.equals("//") ? matcher.replaceAll(quoted) : matcher.replaceFirst(quoted);
    }
}
