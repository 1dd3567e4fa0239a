package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Outcome.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Evaluates loops: round by round while values are known, then once more with everything that is
/// possible.
final class Loops {
    private static final int MOST_ROUNDS = 40;

    private final Evaluator evaluator;

    Loops(Evaluator evaluator) {
        this.evaluator = evaluator;
    }

    /// Evaluates `while` and `until`.
    Outcome whilst(Node condition, Node body, boolean until, State state) {
        StringBuilder output = new StringBuilder();
        List<String> lines = new ArrayList<>();
        for (int round = 0; !evaluator.findings.over(); round++) {
            State start = state.copy();
            String rest = state.unread();
            Outcome asked = evaluator.run(condition, state);
            Status goes = until ? asked.status().not() : asked.status();
            State ended = state.copy();
            if (goes == Status.NO) {
                if (round == 0 && !never(condition)) { // the known state may be wrong, so the body is read once
                    var _ = evaluator.run(body, state);
                    state.join(ended, evaluator.findings.marks);
                }
                break;
            }
            asked.moved().ifPresent(moved -> state.folder = moved.to());
            Outcome done = evaluator.run(body, state);
            output.append(asked.output()).append(done.output());
            if (round == 0) {
                lines.addAll(asked.lines());
                lines.addAll(done.lines());
            }
            if (goes == Status.MAYBE) {
                state.join(ended, evaluator.findings.marks);
            }
            boolean same = state.same(start) && state.unread().equals(rest);
            if (same || round > MOST_ROUNDS) {
                break;
            }
            boolean endless =
                    goes == Status.MAYBE && round > 1 && state.unread().equals(rest);
            if (endless || round == MOST_ROUNDS) {
                state.widen(start);
                var _ = evaluator.run(condition, state);
                var _ = evaluator.run(body, state);
                state.widen(start);
                break;
            }
        }
        String printed = output.length() > 20_000 ? UnknownValues.MADE : output.toString();
        return new Outcome(
                Status.MAYBE,
                printed,
                lines.subList(0, Math.min(lines.size(), Evaluator.MOST_LINES)),
                Optional.empty());
    }

    private void set(String name, String value, State state) {
        Assignments.set(name, value, state, evaluator);
        OwnVariables.assigned(name, state, evaluator.findings);
    }

    /// Returns whether a condition is nothing but `true`, `false` or `:`.
    private static boolean never(Node condition) {
        return condition instanceof Node.Sequence(List<Node.Item> items)
                && items.size() == 1
                && items.getFirst().node() instanceof Node.Simple simple
                && simple.onlyWord()
                        .filter(Set.of("true", "false", ":")::contains)
                        .isPresent();
    }

    /// Evaluates `for NAME in WORDS`.
    Outcome each(Node.For loop, State state) {
        List<String> values = loop.words()
                .map(words -> evaluator.expander.fields(words, state))
                .orElse(state.arguments);
        boolean none = values.isEmpty() && loop.words().filter(List::isEmpty).isEmpty();
        boolean known = values.stream().noneMatch(UnknownValues::any) && !none;
        List<String> all = none
                ? List.of(UnknownValues.MADE)
                : values.size() <= MOST_ROUNDS ? values : List.of(evaluator.findings.marks.choice(values));
        StringBuilder output = new StringBuilder();
        List<String> lines = new ArrayList<>();
        State before = state.copy();
        for (String value : all) {
            set(loop.name(), value, state);
            Outcome outcome = evaluator.run(loop.body(), state);
            output.append(outcome.output());
            if (lines.isEmpty()) {
                lines.addAll(outcome.lines());
            }
        }
        if (!known) { // an unknown value may stand for several words, or for none
            all.stream().filter(UnknownValues::any).findFirst().ifPresent(value -> {
                set(loop.name(), value, state);
                var _ = evaluator.run(loop.body(), state);
            });
            state.join(before, evaluator.findings.marks);
        }
        return new Outcome(Status.MAYBE, output.toString(), lines, Optional.empty());
    }
}
