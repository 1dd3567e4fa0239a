package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Node.Branch;
import dev.talaria.engine.gate.reading.Node.Item;
import dev.talaria.engine.gate.reading.Outcome.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Evaluates commands that run on some ways only: behind `&&` and `||`, in `if` and in `case`. An
/// unknown condition counts as true and as false.
final class Branches {
    private final Evaluator evaluator;
    private final UnknownValues marks;

    Branches(Evaluator evaluator) {
        this.evaluator = evaluator;
        this.marks = evaluator.findings.marks;
    }

    /// Evaluates `left && right`, and `left || right`.
    Outcome joined(Node.AndOr node, State state) {
        Outcome left = evaluator.run(node.left(), state);
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
        Outcome right = evaluator.run(node.right(), state);
        List<String> lines = new ArrayList<>(left.lines());
        lines.addAll(right.lines());
        if (goes == Status.YES) {
            return new Outcome(right.status(), left.output() + right.output(), lines, Optional.empty());
        }
        state.join(skipped, marks);
        Status status = right.status() == (node.and() ? Status.NO : Status.YES) ? right.status() : Status.MAYBE;
        String maybe = marks.choice(List.of(right.output(), ""));
        return new Outcome(status, left.output() + maybe, lines, Optional.empty());
    }

    /// Evaluates `if`.
    Outcome chosen(Node.If node, State state) {
        Outcome asked = evaluator.run(node.condition(), state);
        Outcome condition = reads(node.condition()) ? asked.unsure() : asked;
        condition.moved().ifPresent(moved -> state.folder = moved.to());
        Node other = node.otherwise().orElse(new Node.Sequence(List.of()));
        Outcome outcome = switch (condition.status()) {
            case YES -> evaluator.run(node.then(), state);
            case NO -> evaluator.run(other, state);
            case MAYBE -> {
                State copy = state.copy();
                condition.moved().ifPresent(moved -> copy.folder = moved.from());
                Outcome one = evaluator.run(node.then(), state);
                Outcome two = evaluator.run(other, copy);
                state.join(copy, marks);
                yield one.or(two, marks);
            }
        };
        return outcome.printing(condition.output() + outcome.output());
    }

    /// Evaluates `case`.
    Outcome cases(Node.Case cases, State state) {
        String subject = evaluator.expander.text(cases.subject(), state);
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
                one.join(ends.getLast(), marks);
            }
            outcomes.add(evaluator.run(branch.body(), one));
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
        ends.stream().skip(1).forEach(end -> state.join(end, marks));
        return outcomes.stream()
                .reduce((one, two) -> one.or(two, marks))
                .orElse(Outcome.SILENT)
                .unsure();
    }

    private Status fits(String subject, boolean literal, Branch branch, State state) {
        Status fits = Status.NO;
        for (ShellWord word : branch.patterns()) {
            String pattern = evaluator.expander.pattern(word, state);
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
                members.stream().anyMatch(Branches::reads);
            case Node.AndOr(Node left, boolean _, Node right) -> reads(left) || reads(right);
            case Node.Group(Node body) -> reads(body);
            case Node.Subshell(Node body) -> reads(body);
            case Node.Redirected _, Node.If _, Node.Loop _, Node.For _, Node.Counting _, Node.Case _ -> true;
            case Node.Define _, Node.Coproc _, Node.Test _, Node.Formula _ -> false;
        };
    }
}
