package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Commands.Call;
import dev.talaria.engine.gate.reading.Outcome.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Evaluates the shell's own commands: variables, folders, and texts that it reads as commands.
final class Builtins {
    /// Folders that always exist, so that `cd` to one of them does not fail.
    private static final Set<String> THERE = Set.of("/", ".", "..", "/tmp", "/etc", "/usr", "/var", "/home");

    /// Options of the shell that change the meaning of folders and variables.
    private static final Set<String> STRANGE =
            Set.of("cdable_vars", "autocd", "localvar_inherit", "localvar_unset", "xpg_echo");

    private static final String BLANKS = " \t\n";

    private static final Map<Character, String> OPTIONS =
            Map.of('a', "allexport", 'k', "keyword", 'e', "errexit", 'P', "physical");

    /// Programs that are made to print commands for a shell, with the arguments that they need for
    /// it.
    private static final Map<String, Pattern> TRUSTED = TrustedPrinters.table();

    /// Options whose value, in the same word, is something that the shell runs.
    private static final Pattern UNUSUAL = Pattern.compile(
            "(?:comp(?:lete|gen) -[a-zA-Z]*?|bind -[a-zA-Z]*?(?=x)|hash -[a-z]*?(?=p)|enable -[a-z]*?(?=[fn]))([CFWxpfn])(.*)",
            Pattern.DOTALL);

    private static final Pattern PRINTED = Pattern.compile("\\$\\(([\\w.-]+)\\)");

    private final Evaluator evaluator;
    private final Findings findings;
    private final ReadBuiltin reads;
    private final LocalVariables locals = new LocalVariables();

    Builtins(Evaluator evaluator) {
        this.evaluator = evaluator;
        this.findings = evaluator.findings;
        this.reads = new ReadBuiltin(evaluator);
    }

    Optional<Outcome> run(String program, Call call) {
        State state = call.state();
        List<String> arguments = call.arguments();
        return switch (program) {
            case ":", "true" -> Optional.of(Outcome.nothing(Status.YES));
            case "false" -> Optional.of(Outcome.nothing(Status.NO));
            case "cd", "chdir", "pushd" -> Optional.of(move(program, arguments, state));
            case "dirs", "popd" -> {
                if (program.equals("dirs")) {
                    yield Optional.of(Outcome.nothing(Status.MAYBE).printing(UnknownValues.MADE));
                }
                state.folder = UnknownValues.MADE;
                yield Optional.of(Outcome.nothing(Status.MAYBE));
            }
            case "eval" -> Optional.of(text(String.join(" ", operands(arguments)), state));
            case "source", "." -> Optional.of(source(operands(arguments), state));
            case "trap" -> Optional.of(trap(arguments, state));
            case "export", "declare", "typeset", "local", "readonly" -> Optional.of(declare(program, arguments, state));
            case "unset" -> {
                unset(arguments, state);
                yield Optional.of(Outcome.nothing(Status.MAYBE));
            }
            case "return", "break", "continue", "exit", "logout" -> {
                evaluator.jumps.jump(state);
                yield Optional.of(Outcome.nothing(Status.MAYBE));
            }
            case "set" -> Optional.of(set(arguments, state));
            case "shift" -> Optional.of(shift(arguments, state));
            case "shopt" -> {
                if (arguments.stream().noneMatch(word -> word.matches("-[a-z]*u[a-z]*"))) {
                    state.options.addAll(arguments);
                    if (arguments.stream().anyMatch(STRANGE::contains)) {
                        findings.unknown("It has the shell read commands in another way.");
                    }
                } // an option that is switched off may have stayed on
                yield Optional.of(Outcome.nothing(Status.MAYBE));
            }
            case "alias" -> {
                arguments.stream()
                        .filter(text -> text.indexOf('=') > 0)
                        .forEach(text -> state.aliases.put(
                                text.substring(0, text.indexOf('=')), Set.of(text.substring(text.indexOf('=') + 1))));
                yield Optional.of(Outcome.nothing(Status.MAYBE));
            }
            case "let" -> {
                arguments.forEach(text -> evaluator.formula(text, state));
                yield Optional.of(Outcome.nothing(Status.MAYBE));
            }
            case "read" -> Optional.of(reads.line(arguments, state));
            case "mapfile", "readarray" -> Optional.of(reads.lines(arguments, state));
            case "getopts" -> {
                arguments.stream().skip(1).findFirst().ifPresent(name -> state.set(name, UnknownValues.MADE));
                List.of("OPTARG", "OPTIND").forEach(name -> state.set(name, UnknownValues.MADE));
                yield Optional.of(Outcome.nothing(Status.MAYBE));
            }
            case "test", "[" -> {
                arguments.forEach(text -> evaluator.inner(text, state));
                boolean bracket = program.equals("[");
                boolean open =
                        bracket && (arguments.isEmpty() || !arguments.getLast().equals("]"));
                List<String> tested = bracket && !open ? arguments.subList(0, arguments.size() - 1) : arguments;
                boolean bash = state.options.contains("posix") && arguments.contains("==");
                yield Optional.of(Outcome.nothing(open || bash ? Status.MAYBE : Conditions.of(tested, state)));
            }
            case "printf" -> printf(arguments, state);
            case "jobs" -> {
                if (arguments.stream().anyMatch(word -> word.matches("-\\w*x.*"))) {
                    findings.unknown("It has the shell run a program by way of its list of jobs.");
                }
                yield Optional.of(Outcome.nothing(Status.MAYBE).printing(UnknownValues.MADE));
            }
            case "hash", "enable", "bind", "complete", "compgen", "fc", "unalias" -> unusual(program, arguments, state);
            default -> Optional.empty();
        };
    }

    /// Returns the variables that the running functions have declared.
    LocalVariables locals() {
        return locals;
    }

    private static List<String> operands(List<String> arguments) {
        return !arguments.isEmpty() && arguments.getFirst().equals("--")
                ? arguments.subList(1, arguments.size())
                : arguments;
    }

    private Outcome text(String text, State state) {
        findings.compounded();
        if (trusted(findings.marks.show(text))) {
            return Outcome.nothing(Status.MAYBE);
        }
        if (findings.marks.made(text)) {
            findings.unknown("A shell runs a text that cannot be told beforehand.");
        }
        return evaluator.text(text, state);
    }

    /// Returns whether a text is the output of a program that is trusted to print commands, in each
    /// of its calls here.
    private boolean trusted(String text) {
        Matcher printed = PRINTED.matcher(text);
        return printed.matches()
                && TRUSTED.containsKey(printed.group(1))
                && findings.pipelines().stream().noneMatch(line -> line.contains(printed.group(1)))
                && findings.commands().stream()
                        .filter(line -> line.equals(printed.group(1)) || line.startsWith(printed.group(1) + " "))
                        .allMatch(line ->
                                TRUSTED.get(printed.group(1)).matcher(line).matches());
    }

    private Outcome source(List<String> arguments, State state) {
        if (arguments.isEmpty()) {
            return Outcome.nothing(Status.MAYBE);
        }
        String file = arguments.getFirst();
        Optional<Input> content = evaluator.targets().stream(file, state);
        if (content.isEmpty() && findings.marks.made(file)) {
            findings.unknown("A shell runs a file whose name cannot be told beforehand.");
        }
        if (content.isEmpty()) {
            return Outcome.nothing(Status.MAYBE);
        }
        List<String> outer = state.arguments;
        if (arguments.size() > 1) {
            state.arguments = List.copyOf(arguments.subList(1, arguments.size()));
        }
        Outcome outcome = content.get().rest().equals(ShellContext.TYPED)
                ? Outcome.nothing(Status.MAYBE)
                : text(content.get().takeAll(), state);
        if (arguments.size() > 1) {
            state.arguments = outer;
        }
        return outcome;
    }

    private Outcome move(String program, List<String> arguments, State state) {
        boolean real = !state.links.isEmpty()
                && arguments.stream().anyMatch(text -> text.contains(".."))
                && (state.options.contains("physical")
                        || arguments.stream().anyMatch(text -> text.matches("-[eL@]*P.*")));
        boolean stack = real || arguments.stream().anyMatch(text -> text.matches("[+-]\\d+|-n|~[+-]?\\d.*"));
        if (stack || (program.equals("pushd") && arguments.isEmpty())) {
            state.set("OLDPWD", evaluator.expander.way(state.folder));
            state.folder = UnknownValues.MADE;
            return Outcome.nothing(Status.MAYBE);
        }
        String to = arguments.stream()
                .filter(text -> !text.startsWith("-") || text.equals("-"))
                .findFirst()
                .map(findings.marks::withoutUnset)
                .filter(text -> !text.isEmpty())
                .map(path -> path.startsWith("/") ? Paths.throughProcesses(path, "") : path)
                .orElse(state.text("HOME").orElse("~"));
        String from = evaluator.expander.way(state.folder);
        String there = to.equals("-")
                ? state.text("OLDPWD").orElse(UnknownValues.ORDINARY)
                : UnknownValues.any(to)
                        ? (findings.marks.made(to) ? UnknownValues.MADE : UnknownValues.ORDINARY)
                        : evaluator.targets().key(to, state);
        state.set("OLDPWD", from);
        boolean one = arguments.size() <= 1; // `cd /tmp x` fails
        boolean sure =
                one && (THERE.contains(to) || to.equals(state.text("HOME").orElse("~")));
        state.folder = sure ? there : findings.marks.choice(List.of(there, from));
        return new Outcome(
                Status.MAYBE, "", List.of(), sure ? Optional.empty() : Optional.of(new Outcome.Moved(from, there)));
    }

    private Outcome trap(List<String> arguments, State state) {
        List<String> words = operands(arguments.stream()
                .dropWhile(text -> text.equals("-l") || text.equals("-p"))
                .toList());
        if (words.size() > 1 || (words.size() == 1 && words.getFirst().indexOf(' ') > 0)) {
            String action = words.getFirst();
            findings.compounded();
            boolean often = words.stream().skip(1).anyMatch(signal -> signal.matches("(?i)(?:SIG)?(?:DEBUG|RETURN)"));
            if (often && !action.equals("-") && !action.isEmpty()) {
                findings.unknown("It has the shell run something between all commands.");
            }
            State copy = state.copy();
            var _ = evaluator.jumps.inShell(copy, () -> text(action, copy));
            words.stream().skip(1).forEach(signal -> state.traps.put(signal.toUpperCase(Locale.ROOT), action));
        }
        return Outcome.nothing(Status.MAYBE);
    }

    private Outcome declare(String program, List<String> arguments, State state) {
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
        return Outcome.nothing(Status.MAYBE).printing(prints ? UnknownValues.MADE : "");
    }

    private void declare(String program, String letters, String text, State state) {
        evaluator.inner(text, state);
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
            int bracket = name.indexOf('[');
            if (bracket > 0) {
                state.variables.put(name.substring(0, bracket), Variable.of(List.of(UnknownValues.MADE)));
            } else {
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
                state.set(name, findings.marks.choice(List.of(state.text(name).orElse(BLANKS), BLANKS)));
            } else if (old != null) {
                state.variables.put(
                        name,
                        old.list()
                                ? Variable.of(List.of(UnknownValues.MADE))
                                : Variable.of(findings.marks.choice(List.of(old.text(), ""))));
            }
        }
    }

    private void unset(List<String> arguments, State state) {
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
        evaluator.inner(name, state);
        if (state.options.contains("readonly " + name)) {
            return;
        }
        int bracket = name.indexOf('[');
        if (bracket > 0) {
            var _ = evaluator.formula(name.substring(bracket + 1).replaceFirst("]$", ""), state);
            state.variables.put(name.substring(0, bracket), Variable.of(List.of(UnknownValues.MADE)));
            return;
        }
        if (locals.further(name)) {
            state.set(name, UnknownValues.MADE); // then the variable outside of that function is visible
            return;
        }
        if (name.equals("IFS")) {
            state.set(name, BLANKS);
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

    private Outcome set(List<String> arguments, State state) {
        for (int i = 0; i < arguments.size(); i++) {
            String text = arguments.get(i);
            if (text.equals("--") || text.equals("-")) {
                state.arguments = List.copyOf(arguments.subList(i + 1, arguments.size()));
                break;
            }
            boolean option = text.length() > 1 && (text.charAt(0) == '-' || text.charAt(0) == '+');
            if (!option) {
                state.arguments = List.copyOf(arguments.subList(i, arguments.size()));
                break;
            }
            boolean on = text.charAt(0) == '-';
            for (char letter : text.substring(1).toCharArray()) {
                if (letter == 'o' && i + 1 < arguments.size()) {
                    option(arguments.get(++i), on, state);
                } else {
                    option(OPTIONS.getOrDefault(letter, ""), on, state);
                }
            }
        }
        return Outcome.nothing(Status.MAYBE);
    }

    private void option(String name, boolean on, State state) {
        if (on && name.equals("keyword")) {
            findings.unknown("It has the shell take assignments wherever they stand.");
        }
        if (!on && name.equals("allexport")) {
            state.options.add("unexported");
        }
        if (on && name.equals("errexit")) {
            evaluator.jumps.jump(state); // from here on the shell may end anywhere
        }
        if (on && !name.isEmpty()) {
            state.options.add(name);
        }
    }

    private static Outcome shift(List<String> arguments, State state) {
        String count = arguments.isEmpty() ? "1" : arguments.getFirst();
        boolean known = count.matches("\\d{1,4}") && !state.arguments.contains(UnknownValues.MADE);
        int by = known ? Integer.parseInt(count) : 0;
        if (!known) {
            state.arguments = List.of(UnknownValues.MADE);
        } else if (by <= state.arguments.size()) {
            state.arguments = List.copyOf(state.arguments.subList(by, state.arguments.size()));
        }
        return Outcome.nothing(Status.MAYBE);
    }

    private Optional<Outcome> printf(List<String> arguments, State state) {
        boolean named = arguments.size() > 1 && arguments.getFirst().startsWith("-v");
        if (!named) {
            return Optional.empty();
        }
        boolean apart = arguments.getFirst().equals("-v");
        String name = apart ? arguments.get(1) : arguments.getFirst().substring(2);
        evaluator.inner(name, state);
        String text = Filters.output("printf", arguments.subList(apart ? 2 : 1, arguments.size()), "", state, evaluator)
                .orElse(UnknownValues.MADE);
        int bracket = name.indexOf('[');
        if (bracket > 0) {
            state.variables.put(name.substring(0, bracket), Variable.of(List.of(UnknownValues.MADE)));
        } else {
            Assignments.perhaps(name, text, state, evaluator);
        }
        OwnVariables.assigned(name, state, findings);
        return Optional.of(Outcome.nothing(Status.MAYBE));
    }

    /// Evaluates builtins that make a shell run something later, or under another name.
    private Optional<Outcome> unusual(String program, List<String> arguments, State state) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String text = arguments.get(i);
            Matcher option = UNUSUAL.matcher(program + " " + text);
            if (!option.matches()) {
                continue;
            }
            String value =
                    !option.group(2).isEmpty() || i + 1 >= arguments.size() ? option.group(2) : arguments.get(i + 1);
            switch (option.group(1)) {
                case "C", "F", "x" -> found.add(value);
                case "W" -> evaluator.inner("[" + value, state);
                case "n" -> findings.unknown("It switches a command of the shell off.");
                default -> findings.unknown("It has the shell run another program under a name that it knows.");
            }
        }
        if (program.equals("fc")) {
            findings.unknown("It runs a command of the shell's history.");
        }
        boolean keys = program.equals("bind");
        found.forEach(text -> text(keys ? text.replaceFirst("^[^:]*:\\s*", "") : text, state.copy()));
        return Optional.of(Outcome.nothing(Status.MAYBE).printing(program.equals("compgen") ? UnknownValues.MADE : ""));
    }
}
