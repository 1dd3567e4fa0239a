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
    private final Declarations declarations;
    private final ShellSettings settings;

    Builtins(Evaluator evaluator, LocalVariables locals) {
        this.evaluator = evaluator;
        this.findings = evaluator.findings;
        this.reads = new ReadBuiltin(evaluator);
        this.declarations = new Declarations(evaluator, locals);
        this.settings = new ShellSettings(evaluator);
    }

    Optional<Outcome> run(String program, Call call) {
        State state = call.state();
        List<String> arguments = call.arguments();
        return switch (program) {
            case ":", "true" -> Optional.of(Outcome.nothing(Status.YES));
            case "false" -> Optional.of(Outcome.nothing(Status.NO));
            case "cd", "chdir", "pushd" -> Optional.of(move(program, arguments, state));
            case "dirs" -> Optional.of(Outcome.SILENT.printing(UnknownValues.MADE));
            case "popd" -> silent(() -> state.folder = UnknownValues.MADE);
            case "eval" -> Optional.of(text(String.join(" ", operands(arguments)), state));
            case "source", "." -> Optional.of(source(operands(arguments), state));
            case "trap" -> silent(() -> trap(arguments, state));
            case "export", "declare", "typeset", "local", "readonly" ->
                Optional.of(declarations.declare(program, arguments, state));
            case "unset" -> silent(() -> declarations.unset(arguments, state));
            case "return", "break", "continue", "exit", "logout" -> silent(() -> evaluator.jumps.jump(state));
            case "set" -> silent(() -> settings.set(arguments, state));
            case "shopt" -> silent(() -> settings.shopt(arguments, state));
            case "shift" -> silent(() -> shift(arguments, state));
            case "alias" -> silent(() -> alias(arguments, state));
            case "let" -> silent(() -> arguments.forEach(text -> evaluator.formulas.value(text, state)));
            case "read" -> Optional.of(reads.line(arguments, state));
            case "mapfile", "readarray" -> Optional.of(reads.lines(arguments, state));
            case "getopts" -> silent(() -> getopts(arguments, state));
            case "test", "[" -> Optional.of(Outcome.nothing(test(program, arguments, state)));
            case "printf" -> printf(arguments, state);
            case "jobs" -> {
                if (arguments.stream().anyMatch(word -> word.matches("-\\w*x.*"))) {
                    findings.unknown("It has the shell run a program by way of its list of jobs.");
                }
                yield Optional.of(Outcome.SILENT.printing(UnknownValues.MADE));
            }
            case "hash", "enable", "bind", "complete", "compgen", "fc", "unalias" -> unusual(program, arguments, state);
            default -> Optional.empty();
        };
    }

    /// Evaluates a builtin that prints nothing.
    private static Optional<Outcome> silent(Runnable effect) {
        effect.run();
        return Optional.of(Outcome.SILENT);
    }

    private static void alias(List<String> arguments, State state) {
        arguments.stream()
                .filter(text -> text.indexOf('=') > 0)
                .forEach(text -> state.aliases.put(
                        text.substring(0, text.indexOf('=')), Set.of(text.substring(text.indexOf('=') + 1))));
    }

    private static void getopts(List<String> arguments, State state) {
        arguments.stream().skip(1).findFirst().ifPresent(name -> state.set(name, UnknownValues.MADE));
        List.of("OPTARG", "OPTIND").forEach(name -> state.set(name, UnknownValues.MADE));
    }

    private Status test(String program, List<String> arguments, State state) {
        arguments.forEach(text -> evaluator.formulas.inner(text, state));
        boolean bracket = program.equals("[");
        boolean open = bracket && (arguments.isEmpty() || !arguments.getLast().equals("]"));
        List<String> tested = bracket && !open ? arguments.subList(0, arguments.size() - 1) : arguments;
        boolean bash = state.options.contains("posix") && arguments.contains("==");
        return open || bash ? Status.MAYBE : Conditions.of(tested, state);
    }

    private static List<String> operands(List<String> arguments) {
        return !arguments.isEmpty() && arguments.getFirst().equals("--")
                ? arguments.subList(1, arguments.size())
                : arguments;
    }

    private Outcome text(String text, State state) {
        findings.compounded();
        if (trusted(findings.marks.show(text))) {
            return Outcome.SILENT;
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
            return Outcome.SILENT;
        }
        String file = arguments.getFirst();
        Optional<Input> content = evaluator.targets.stream(file, state);
        if (content.isEmpty() && findings.marks.made(file)) {
            findings.unknown("A shell runs a file whose name cannot be told beforehand.");
        }
        if (content.isEmpty()) {
            return Outcome.SILENT;
        }
        List<String> outer = state.arguments;
        if (arguments.size() > 1) {
            state.arguments = List.copyOf(arguments.subList(1, arguments.size()));
        }
        Outcome outcome = content.get().rest().equals(ShellContext.TYPED)
                ? Outcome.SILENT
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
            return Outcome.SILENT;
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
                        : evaluator.targets.key(to, state);
        state.set("OLDPWD", from);
        boolean one = arguments.size() <= 1; // `cd /tmp x` fails
        boolean sure =
                one && (THERE.contains(to) || to.equals(state.text("HOME").orElse("~")));
        state.folder = sure ? there : findings.marks.choice(List.of(there, from));
        return new Outcome(
                Status.MAYBE, "", List.of(), sure ? Optional.empty() : Optional.of(new Outcome.Moved(from, there)));
    }

    private void trap(List<String> arguments, State state) {
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
    }

    private static void shift(List<String> arguments, State state) {
        String count = arguments.isEmpty() ? "1" : arguments.getFirst();
        boolean known = count.matches("\\d{1,4}") && !state.arguments.contains(UnknownValues.MADE);
        int by = known ? Integer.parseInt(count) : 0;
        if (!known) {
            state.arguments = List.of(UnknownValues.MADE);
        } else if (by <= state.arguments.size()) {
            state.arguments = List.copyOf(state.arguments.subList(by, state.arguments.size()));
        }
    }

    private Optional<Outcome> printf(List<String> arguments, State state) {
        boolean named = arguments.size() > 1 && arguments.getFirst().startsWith("-v");
        if (!named) {
            return Optional.empty();
        }
        boolean apart = arguments.getFirst().equals("-v");
        String name = apart ? arguments.get(1) : arguments.getFirst().substring(2);
        evaluator.formulas.inner(name, state);
        String text = Filters.output("printf", arguments.subList(apart ? 2 : 1, arguments.size()), "", state, evaluator)
                .orElse(UnknownValues.MADE);
        if (!Assignments.element(name, state)) {
            Assignments.perhaps(name, text, state, evaluator);
        }
        OwnVariables.assigned(name, state, findings);
        return Optional.of(Outcome.SILENT);
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
                case "W" -> evaluator.formulas.inner("[" + value, state);
                case "n" -> findings.unknown("It switches a command of the shell off.");
                default -> findings.unknown("It has the shell run another program under a name that it knows.");
            }
        }
        if (program.equals("fc")) {
            findings.unknown("It runs a command of the shell's history.");
        }
        boolean keys = program.equals("bind");
        found.forEach(text -> text(keys ? text.replaceFirst("^[^:]*:\\s*", "") : text, state.copy()));
        return Optional.of(Outcome.SILENT.printing(program.equals("compgen") ? UnknownValues.MADE : ""));
    }
}
