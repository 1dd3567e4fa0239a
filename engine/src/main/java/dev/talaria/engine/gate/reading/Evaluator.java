package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Node.Assignment;
import dev.talaria.engine.gate.reading.Node.Branch;
import dev.talaria.engine.gate.reading.Node.Item;
import dev.talaria.engine.gate.reading.Outcome.Status;
import dev.talaria.engine.gate.reading.ShellWord.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Evaluates a shell program without running anything: it gives variables their values, takes both
/// branches of an unknown condition, and notes every command.
final class Evaluator {
    static final int MOST_LINES = 60;
    private static final Pattern INNER_COMMAND = Pattern.compile("\\[.*(?:\\$[({]|`)", Pattern.DOTALL);

    final Findings findings;
    final Expander expander;
    final CommandLines lines;
    private final ShellContext before;
    private final Redirections redirections;
    private final NamedFiles targets;
    private final Commands commands;
    private final Loops loops;
    final EarlyExits jumps;
    private final WorkLimit effort = new WorkLimit();
    private int depth;

    Evaluator(Findings findings, ShellContext before) {
        this.findings = findings;
        this.before = before;
        this.expander = new Expander(findings, this);
        this.lines = new CommandLines(findings, before.home(), expander);
        this.redirections = new Redirections(this);
        this.targets = new NamedFiles(this);
        this.commands = new Commands(this);
        this.loops = new Loops(this);
        this.jumps = new EarlyExits(findings.marks);
    }

    ShellContext surroundings() {
        return before;
    }

    NamedFiles targets() {
        return targets;
    }

    /// Evaluates a whole text in its surroundings.
    State start(String text) {
        State state = new State(ShellContext.START, new Input(before.input().orElse(ShellContext.TYPED)), effort);
        state.set("HOME", before.home().path());
        state.exported.add("HOME");
        before.variables().forEach((name, value) -> {
            state.set(name, value);
            state.exported.add(name);
        });
        before.aliases().forEach((name, value) -> state.aliases.put(name, Set.of(value)));
        before.functions().forEach((name, body) -> {
            if (ShellParser.parse("f() " + body, findings, 1) instanceof Node.Sequence(List<Item> items)
                    && !items.isEmpty()
                    && items.getFirst().node() instanceof Node.Define(String _, Node parsed, String source)) {
                state.functions.put(name, Set.of(new Node.Define(name, parsed, source)));
            }
        });
        if (findings.admit(text.length(), 0)) {
            Node program = ShellParser.parse(text, findings, 0);
            if (!plain(program)) {
                findings.compounded();
            }
            var _ = run(program, state);
        }
        findings.orphans().forEach(orphan -> text(orphan, state.copy()));
        commands.end(state);
        return state;
    }

    /// Returns whether a program is nothing but one command with literal words.
    private static boolean plain(Node program) {
        return program instanceof Node.Sequence(List<Item> items)
                && items.size() == 1
                && !items.getFirst().background()
                && items.getFirst().node() instanceof Node.Simple simple
                && simple.assignments().isEmpty()
                && simple.redirections().isEmpty()
                && simple.words().stream().allMatch(word -> word.literal().isPresent());
    }

    /// Parses a text and evaluates it.
    Outcome text(String text, State state) {
        if (text.length() > Reading.LONGEST) {
            findings.giveUp("what a shell in it reads is longer than " + Reading.LONGEST + " characters");
        }
        if (text.contains(ShellContext.TYPED)) {
            findings.unknown("A shell runs what it reads.");
        }
        depth++;
        Outcome outcome = findings.admit(text.length(), depth)
                ? run(ShellParser.parse(text, findings, depth), state)
                : Outcome.nothing(Status.MAYBE);
        depth--;
        return outcome;
    }

    Outcome run(Node node, State state) {
        effort.step();
        if (effort.tooMuch()) {
            findings.giveUp("it goes on for too long");
        }
        if (findings.over()) {
            return Outcome.nothing(Status.MAYBE);
        }
        return switch (node) {
            case Node.Simple simple -> simple(simple, state);
            case Node.Pipeline pipeline -> pipeline(pipeline, state);
            case Node.AndOr andOr -> andOr(andOr, state);
            case Node.Sequence(List<Item> items) -> sequence(items, state);
            case Node.Group(Node body) -> run(body, state);
            case Node.Subshell(Node body) -> apart(body, state);
            case Node.Redirected(Node body, var signs) -> ways(state, one -> redirections.around(body, signs, one));
            case Node.If(Node condition, Node then, Optional<Node> otherwise) ->
                choose(
                        reads(condition) ? run(condition, state).unsure() : run(condition, state),
                        then,
                        otherwise,
                        state);
            case Node.Loop loop ->
                jumps.inBody(state, () -> loops.whilst(loop.condition(), loop.body(), loop.until(), state));
            case Node.For loop -> ways(state, one -> jumps.inBody(one, () -> loops.each(loop, one)));
            case Node.Counting(ShellWord formulas, Node body) -> {
                var _ = expander.formula(formulas, state);
                yield jumps.inBody(state, () -> loops.whilst(new Node.Formula(formulas), body, false, state));
            }
            case Node.Case cases -> cases(cases, state);
            case Node.Define define -> define(define, state);
            case Node.Coproc(Node body) -> {
                State copy = state.copy();
                copy.input = new Input(UnknownValues.MADE);
                var _ = jumps.inShell(copy, () -> run(body, copy));
                yield Outcome.nothing(Status.MAYBE);
            }
            case Node.Test(List<ShellWord> words) -> ways(state, one -> test(words, one));
            case Node.Formula(ShellWord formula) ->
                ways(state, one -> {
                    String value = expander.formula(formula, one);
                    if (one.options.contains("posix")) { // such a shell reads two subshells
                        var _ = text(expander.text(formula, one), one.copy());
                        return Outcome.nothing(Status.MAYBE);
                    }
                    return Outcome.nothing(formula.literal().isPresent() ? Conditions.number(value) : Status.MAYBE);
                });
        };
    }

    private Outcome test(List<ShellWord> words, State state) {
        List<String> texts =
                words.stream().map(word -> expander.text(word, state)).toList();
        texts.forEach(text -> inner(text, state));
        for (int i = 0; i < texts.size(); i++) {
            if (texts.get(i).matches("-(?:eq|ne|lt|le|gt|ge)")) { // its two sides are formulas
                var _ = i > 0 ? formula(texts.get(i - 1), state) : "";
                var _ = i + 1 < texts.size() ? formula(texts.get(i + 1), state) : "";
            }
        }
        // A plain `sh` has no `[[`.
        boolean known = literal(words) && !state.options.contains("posix");
        return Outcome.nothing(known ? Conditions.of(texts, state) : Status.MAYBE);
    }

    /// Returns whether all words are literal. A condition with a variable counts as unknown: if the
    /// computed value were wrong, the branch that is really taken would not be read.
    private static boolean literal(List<ShellWord> words) {
        return words.stream().allMatch(word -> word.literal().isPresent());
    }

    /// Runs a body in a subshell, where changes of variables are lost.
    private Outcome apart(Node body, State state) {
        State copy = state.copy();
        Outcome outcome = jumps.inShell(copy, () -> run(body, copy));
        state.effectsOf(copy);
        return outcome.with(outcome.status());
    }

    /// Returns whether a command depends on what it reads. Its input may be computed wrongly.
    private static boolean reads(Node node) {
        return switch (node) {
            case Node.Simple simple ->
                !simple.words().isEmpty()
                        && simple.words()
                                .getFirst()
                                .literal()
                                .filter(name -> name.equals("read") || name.equals("builtin") || name.equals("command"))
                                .isPresent();
            case Node.Sequence(List<Item> items) -> items.stream().anyMatch(item -> reads(item.node()));
            case Node.Pipeline(List<Node> members, boolean _) ->
                members.stream().anyMatch(Evaluator::reads);
            case Node.AndOr(Node left, boolean _, Node right) -> reads(left) || reads(right);
            case Node.Group(Node body) -> reads(body);
            case Node.Subshell(Node body) -> reads(body);
            case Node.Redirected _, Node.If _, Node.Loop _, Node.For _, Node.Counting _, Node.Case _ -> true;
            case Node.Define _, Node.Coproc _, Node.Test _, Node.Formula _ -> false;
        };
    }

    private Outcome sequence(List<Item> items, State state) {
        List<String> lines = new ArrayList<>();
        StringBuilder output = new StringBuilder();
        Outcome last = Outcome.nothing(Status.YES);
        for (Item item : items) {
            last = item.background() ? apart(item.node(), state).with(Status.YES) : run(item.node(), state);
            output.append(last.output());
            last.lines().stream()
                    .limit(MOST_LINES - Math.min(MOST_LINES, lines.size()))
                    .forEach(lines::add);
        }
        Optional<Outcome.Moved> moved = items.size() == 1 ? last.moved() : Optional.empty();
        return new Outcome(last.status(), output.toString(), lines, moved);
    }

    private Outcome andOr(Node.AndOr node, State state) {
        Outcome left = run(node.left(), state);
        Status known = reads(node.left()) ? Status.MAYBE : left.status();
        Status goes = node.and() ? known : known.not();
        if (goes == Status.NO) {
            return left;
        }
        State skipped = state.copy();
        left.moved().ifPresent(moved -> {
            state.folder = node.and() ? moved.to() : moved.from();
            skipped.folder = node.and() ? moved.from() : moved.to();
        });
        Outcome right = run(node.right(), state);
        List<String> lines = new ArrayList<>(left.lines());
        lines.addAll(right.lines());
        if (goes == Status.YES) {
            return new Outcome(right.status(), left.output() + right.output(), lines, Optional.empty());
        }
        state.join(skipped, findings.marks);
        Status status = right.status() == (node.and() ? Status.NO : Status.YES) ? right.status() : Status.MAYBE;
        String maybe = findings.marks.choice(List.of(right.output(), ""));
        return new Outcome(status, left.output() + maybe, lines, Optional.empty());
    }

    private Outcome choose(Outcome condition, Node then, Optional<Node> otherwise, State state) {
        condition.moved().ifPresent(moved -> state.folder = moved.to());
        Node other = otherwise.orElse(new Node.Sequence(List.of()));
        Outcome outcome = switch (condition.status()) {
            case YES -> run(then, state);
            case NO -> run(other, state);
            case MAYBE -> {
                State copy = state.copy();
                condition.moved().ifPresent(moved -> copy.folder = moved.from());
                Outcome one = run(then, state);
                Outcome two = run(other, copy);
                state.join(copy, findings.marks);
                yield either(one, two);
            }
        };
        return outcome.printing(condition.output() + outcome.output());
    }

    private Outcome either(Outcome one, Outcome two) {
        List<String> lines = new ArrayList<>(one.lines());
        lines.addAll(two.lines());
        Status status = one.status() == two.status() ? one.status() : Status.MAYBE;
        return new Outcome(status, findings.marks.choice(List.of(one.output(), two.output())), lines, Optional.empty());
    }

    private Outcome cases(Node.Case cases, State state) {
        String subject = expander.text(cases.subject(), state);
        boolean literal = cases.subject().literal().isPresent();
        State open = state.copy(); // the state in which no branch has been taken yet
        List<State> ends = new ArrayList<>();
        List<Outcome> outcomes = new ArrayList<>();
        boolean sure = false;
        boolean falls = false;
        for (Branch branch : cases.branches()) {
            Status fits = fits(subject, literal, branch, open);
            if (fits == Status.NO && !falls) {
                continue;
            }
            State one = open.copy();
            if (falls) {
                one.join(ends.getLast(), findings.marks);
            }
            outcomes.add(run(branch.body(), one));
            ends.add(one);
            falls = !branch.ends();
            sure = fits == Status.YES && branch.ends();
            if (sure) {
                break;
            }
        }
        if (!sure) {
            ends.add(open);
        }
        state.take(ends.getFirst());
        ends.stream().skip(1).forEach(end -> state.join(end, findings.marks));
        return outcomes.stream()
                .reduce(this::either)
                .orElse(Outcome.nothing(Status.MAYBE))
                .unsure();
    }

    private Status fits(String subject, boolean literal, Branch branch, State state) {
        Status fits = Status.NO;
        for (ShellWord word : branch.patterns()) {
            String pattern = expander.pattern(word, state);
            if (pattern.equals("*")) {
                return Status.YES;
            }
            boolean known = literal
                    && word.literal().isPresent()
                    && pattern.indexOf('(') < 0
                    && pattern.indexOf('[') < 0
                    && !state.options.contains("nocasematch");
            if (known && Globs.pattern(pattern).matcher(subject).matches()) {
                return Status.YES;
            }
            fits = known ? fits : Status.MAYBE;
        }
        return fits;
    }

    private Outcome define(Node.Define define, State state) {
        if (state.options.contains("readonly function " + define.name())) {
            state.functions.merge(define.name(), Set.of(define), State::both);
        } else {
            state.functions.put(define.name(), Set.of(define));
            state.options.remove("maybe " + define.name());
        }
        if (Functions.multiplies(define.name(), define.body())) {
            findings.command("fork-bomb", "fork-bomb " + define.name());
        }
        if (define.name().equals("command_not_found_handle")) {
            findings.unknown("It has the shell run a function for each program that is not there.");
            var _ = run(define.body(), state.copy());
        }
        return Outcome.nothing(Status.YES);
    }

    private Outcome pipeline(Node.Pipeline node, State state) {
        List<String> lines = new ArrayList<>();
        Outcome last = Outcome.nothing(Status.MAYBE);
        Input input = state.input;
        for (int i = 0; i < node.members().size(); i++) {
            boolean here = node.members().size() == 1
                    || (i == node.members().size() - 1 && state.options.contains("lastpipe"));
            State member = here ? state : state.copy();
            Input own = state.input;
            State unchanged = state.copy();
            member.input = input;
            Node command = node.members().get(i);
            last = here ? run(command, member) : jumps.inShell(member, () -> run(command, member));
            state.effectsOf(member);
            state.input = own;
            if (here && node.members().size() > 1) {
                state.join(unchanged, findings.marks); // with `set -m` it runs in a shell of its own after all
            }
            input = new Input(last.output());
            lines.add(last.line());
        }
        if (lines.size() > 1) {
            findings.pipeline(String.join(" | ", lines));
        }
        Status own = node.members().size() > 1 ? Status.MAYBE : last.status(); // pipefail
        return new Outcome(node.negated() ? own.not() : own, last.output(), lines, Optional.empty());
    }

    /// Returns the value of a substitution: what its commands print, without line breaks at the end.
    String output(Node body, State state) {
        State copy = state.copy();
        Optional<String> file = readsFile(body, copy);
        Outcome outcome = file.isPresent() ? Outcome.nothing(Status.MAYBE) : jumps.inShell(copy, () -> run(body, copy));
        state.effectsOf(copy);
        String printed = file.orElse(outcome.output());
        int end = printed.length();
        while (end > 0 && printed.charAt(end - 1) == '\n') {
            end--;
        }
        return printed.substring(0, end).replace("\0", "");
    }

    /// Returns the content of the file in `$(< file)`.
    private Optional<String> readsFile(Node body, State state) {
        boolean reads = body instanceof Node.Sequence(List<Item> items)
                && items.size() == 1
                && items.getFirst().node() instanceof Node.Simple simple
                && simple.words().isEmpty()
                && simple.assignments().isEmpty()
                && simple.redirections().size() == 1
                && !simple.redirections().getFirst().writes();
        if (!reads) {
            return Optional.empty();
        }
        Node.Simple simple =
                (Node.Simple) ((Node.Sequence) body).items().getFirst().node();
        return Optional.of(redirections
                .of(simple.redirections(), state)
                .input()
                .map(Input::rest)
                .orElse(""));
    }

    /// Returns the name of the file that `<(...)` creates.
    String process(Part.ProcessFile process, State state) {
        State copy = state.copy();
        if (!process.reads()) {
            copy.input = new Input(UnknownValues.MADE);
        }
        Outcome outcome = jumps.inShell(copy, () -> run(process.body(), copy));
        String first = outcome.lines().isEmpty() ? "" : outcome.lines().getLast();
        int blank = first.indexOf(' ');
        String program = blank < 0 ? first : first.substring(0, blank);
        String path = findings.marks.fresh((process.reads() ? "<(" : ">(") + program + ")");
        state.effectsOf(copy);
        state.files.put(path, process.reads() ? outcome.output() : UnknownValues.MADE);
        return path;
    }

    /// Returns a formula's value. Runs the commands in it.
    String formula(String text, State state) {
        String seen = text;
        follow(text, state);
        if (state.options.contains("posix") && text.matches("\\s*[A-Za-z_./][^()]*")) {
            var _ = text(text, state.copy()); // a plain `sh` reads `((reboot))` as a command in two subshells
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
                            ? Variable.of(List.of(UnknownValues.MADE))
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
        if (!INNER_COMMAND.matcher(text).find() || !findings.admit(text.length(), depth + 1)) {
            return;
        }
        depth++;
        try {
            ShellWord word = new WordParser(new Source(text, findings, depth)).document();
            var _ = expander.text(word, state);
        } catch (Source.SyntaxProblem trouble) {
            findings.unknown("An index in it cannot be read.");
        }
        depth--;
    }

    private Outcome simple(Node.Simple node, State state) {
        Optional<Node> aliased = Aliases.of(node, state, this);
        if (aliased.isPresent()) {
            State other = state.copy();
            Outcome one = command(node, state);
            Outcome two = run(aliased.get(), other);
            state.join(other, findings.marks);
            return either(one, two);
        }
        return command(node, state);
    }

    private Outcome command(Node.Simple node, State state) {
        boolean sets = node.words().isEmpty() && node.redirections().isEmpty();
        return sets ? once(node, state) : ways(state, one -> once(node, one));
    }

    /// Runs a command once for each way that the commands before it may have taken.
    private Outcome ways(State state, Function<State, Outcome> command) {
        if (!findings.marks.choices() || expander.onOneWay()) {
            return command.apply(state);
        }
        State start = state.copy();
        Map<Input, String> unread = new HashMap<>();
        unread.put(start.input, start.input.rest());
        start.descriptors.values().forEach(input -> unread.put(input, input.rest()));
        List<State> ends = new ArrayList<>();
        List<Outcome> outcomes = new ArrayList<>();
        expander.eachWay(() -> {
            State one = start.copy();
            unread.forEach(Input::rest); // each way reads the same input
            outcomes.add(command.apply(one));
            ends.add(one);
        });
        State end = ends.getFirst();
        ends.stream().skip(1).forEach(other -> end.join(other, findings.marks));
        state.take(end);
        Outcome outcome = outcomes.getFirst();
        for (Outcome other : outcomes.subList(1, outcomes.size())) {
            outcome = either(outcome, other);
        }
        return outcome;
    }

    private Outcome once(Node.Simple node, State state) {
        List<String> words = expander.fields(node.words(), state);
        Outcome outcome = redirections.around(
                node.redirections(), state, words, shown -> commands.run(words, node.assignments(), shown, state));
        return literal(node.words()) ? outcome : outcome.unsure();
    }

    /// Sets a variable as `NAME=value` does.
    String assign(Assignment assignment, State state) {
        String value = expander.text(assignment.value(), state);
        String shown = assignment.name() + "=" + value;
        Optional<String> key = assignment.subscript().map(word -> expander.text(word, state));
        key.ifPresent(text -> inner("[" + text + "]", state));
        Assignments.set(assignment, key, value, state, this);
        return shown;
    }
}
