package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Node.Assignment;
import dev.talaria.engine.gate.reading.Node.Item;
import dev.talaria.engine.gate.reading.Outcome.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Evaluates a shell program without running anything: it gives variables their values, takes both
/// branches of an unknown condition, and notes every command.
final class Evaluator {
    static final int MOST_LINES = 60;

    final Findings findings;
    final Expander expander;
    final CommandLines lines;
    final ShellContext surroundings;
    final Redirections redirections;
    final Formulas formulas;
    final NamedFiles targets;
    private final Commands commands;
    private final Branches branches;
    private final Loops loops;
    final EarlyExits jumps;
    private final WorkLimit effort = new WorkLimit();
    int depth; // nesting of texts in texts

    Evaluator(Findings findings, ShellContext surroundings) {
        this.findings = findings;
        this.surroundings = surroundings;
        this.expander = new Expander(findings, this);
        this.lines = new CommandLines(findings, surroundings.home(), expander);
        this.redirections = new Redirections(this);
        this.formulas = new Formulas(this);
        this.targets = new NamedFiles(this);
        this.commands = new Commands(this);
        this.branches = new Branches(this);
        this.loops = new Loops(this);
        this.jumps = new EarlyExits(findings.marks);
    }

    /// Evaluates a whole text in its surroundings.
    State start(String text) {
        State state = new State(
                new Variables(findings.looked),
                ShellContext.START,
                new Input(surroundings.input().orElse(ShellContext.TYPED)),
                effort);
        Map<String, String> given =
                new HashMap<>(Map.of("HOME", surroundings.home().path()));
        given.putAll(surroundings.variables());
        given.forEach((name, value) -> {
            state.variables.given(name, Variable.of(value));
            state.exported.add(name);
        });
        surroundings.aliases().forEach((name, value) -> state.aliases.put(name, Set.of(value)));
        surroundings.functions().forEach((name, body) -> {
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
                : Outcome.SILENT;
        depth--;
        return outcome;
    }

    Outcome run(Node node, State state) {
        effort.step();
        if (effort.tooMuch()) {
            findings.giveUp("it goes on for too long");
        }
        if (findings.over()) {
            return Outcome.SILENT;
        }
        return switch (node) {
            case Node.Simple simple -> simple(simple, state);
            case Node.Pipeline pipeline -> pipeline(pipeline, state);
            case Node.AndOr andOr -> branches.joined(andOr, state);
            case Node.Sequence(List<Item> items) -> sequence(items, state);
            case Node.Group(Node body) -> run(body, state);
            case Node.Subshell(Node body) -> apart(body, state);
            case Node.Redirected(Node body, var signs) -> ways(state, one -> redirections.around(body, signs, one));
            case Node.If choice -> branches.chosen(choice, state);
            case Node.Loop loop ->
                jumps.inBody(state, () -> loops.whilst(loop.condition(), loop.body(), loop.until(), state));
            case Node.For loop -> ways(state, one -> jumps.inBody(one, () -> loops.each(loop, one)));
            case Node.Counting(ShellWord formulas, Node body) -> {
                var _ = expander.formula(formulas, state);
                yield jumps.inBody(state, () -> loops.whilst(new Node.Formula(formulas), body, false, state));
            }
            case Node.Case cases -> branches.cases(cases, state);
            case Node.Define define -> define(define, state);
            case Node.Coproc(Node body) -> {
                State copy = state.copy();
                copy.input = new Input(UnknownValues.MADE);
                var _ = jumps.inShell(copy, () -> run(body, copy));
                yield Outcome.SILENT;
            }
            case Node.Test(List<ShellWord> words) -> ways(state, one -> test(words, one));
            case Node.Formula(ShellWord formula) ->
                ways(state, one -> {
                    String value = expander.formula(formula, one);
                    if (one.options.contains("posix")) { // such a shell reads two subshells
                        var _ = text(expander.text(formula, one), one.copy());
                        return Outcome.SILENT;
                    }
                    return Outcome.nothing(formula.literal().isPresent() ? Conditions.number(value) : Status.MAYBE);
                });
        };
    }

    private Outcome test(List<ShellWord> words, State state) {
        List<String> texts =
                words.stream().map(word -> expander.text(word, state)).toList();
        texts.forEach(text -> formulas.inner(text, state));
        for (int i = 0; i < texts.size(); i++) {
            if (texts.get(i).matches("-(?:eq|ne|lt|le|gt|ge)")) { // its two sides are formulas
                var _ = i > 0 ? formulas.value(texts.get(i - 1), state) : "";
                var _ = i + 1 < texts.size() ? formulas.value(texts.get(i + 1), state) : "";
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
        Outcome last = Outcome.SILENT;
        Input input = state.input;
        for (int i = 0; i < node.members().size(); i++) {
            boolean here = node.members().size() == 1
                    || (i == node.members().size() - 1 && state.options.contains("lastpipe"));
            State member = here ? state : state.copy();
            Input own = state.input;
            boolean joins = here && node.members().size() > 1;
            State unchanged = joins ? state.copy() : state;
            member.input = input;
            Node command = node.members().get(i);
            last = here ? run(command, member) : jumps.inShell(member, () -> run(command, member));
            state.effectsOf(member);
            state.input = own;
            if (joins) {
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

    private Outcome simple(Node.Simple node, State state) {
        Optional<Node> aliased = Aliases.of(node, state, this);
        if (aliased.isPresent()) {
            State other = state.copy();
            Outcome one = command(node, state);
            Outcome two = run(aliased.get(), other);
            state.join(other, findings.marks);
            return one.or(two, findings.marks);
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
        return outcomes.stream()
                .reduce((one, other) -> one.or(other, findings.marks))
                .orElseThrow();
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
        key.ifPresent(text -> formulas.inner("[" + text + "]", state));
        Assignments.set(assignment, key, value, state, this);
        return shown;
    }
}
