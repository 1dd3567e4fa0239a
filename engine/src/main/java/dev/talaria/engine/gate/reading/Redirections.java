package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Node.Redirection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Evaluates redirections: where commands read from and print to.
final class Redirections {
    private static final int FIRST_NAMED = 10;

    private final Evaluator evaluator;

    Redirections(Evaluator evaluator) {
        this.evaluator = evaluator;
    }

    /// The effect of redirections on a command.
    ///
    /// @param input the input of the command, if it is redirected
    /// @param output the file that the command prints to
    /// @param appends whether the file keeps its content
    /// @param aside whether the output may go elsewhere
    /// @param shown the signs with their targets
    /// @param opens whether the shell has to open a file, which may fail
    record Streams(
            Optional<Input> input,
            Optional<String> output,
            boolean appends,
            boolean aside,
            boolean opens,
            String shown) {}

    /// Runs a body with redirections.
    Outcome around(Node body, List<Redirection> signs, State state) {
        return around(signs, state, List.of(), shown -> {
            evaluator.findings.command(":", ":" + shown);
            return evaluator.run(body, state);
        });
    }

    /// Runs a command with redirections.
    ///
    /// @param words the command's words; `exec` alone keeps the redirections
    /// @param command runs the command, given the redirections as they are shown
    Outcome around(List<Redirection> signs, State state, List<String> words, Function<String, Outcome> command) {
        if (signs.isEmpty()) {
            return command.apply("");
        }
        Map<String, Input> open = Map.copyOf(state.descriptors);
        Streams streams = of(signs, state);
        State unopened = state.copy();
        Input own = state.input;
        streams.input().ifPresent(input -> state.input = input);
        Outcome outcome = command.apply(streams.shown());
        boolean lasts = words.size() == 1 && words.getFirst().equals("exec");
        if (!lasts) {
            state.input = own;
            closed(signs, open, state);
            closed(signs, open, unopened);
        }
        String printed = outcome.output();
        if (streams.output().isPresent()) {
            String path = streams.output().get();
            String before = streams.appends() ? state.files.getOrDefault(path, "") : "";
            evaluator.targets.around(path, state);
            state.files.put(path, lasts ? UnknownValues.MADE : before + printed);
            printed = "";
        } else if (streams.aside() && !printed.isEmpty()) {
            printed = evaluator.findings.marks.choice(List.of(printed, ""));
        }
        // If the shell cannot open a file, the command does not run, and fails.
        if (streams.opens() && !lasts) {
            state.join(unopened, evaluator.findings.marks);
        }
        return new Outcome(Outcome.Status.MAYBE, printed, outcome.lines(), outcome.moved());
    }

    /// Restores the descriptors that one command has redirected.
    private static void closed(List<Redirection> signs, Map<String, Input> open, State state) {
        for (Redirection one : signs) {
            String number = one.descriptor().isEmpty() ? "0" : one.descriptor();
            Input before = open.get(number);
            if (before == null) {
                state.descriptors.remove(number);
            } else {
                state.descriptors.put(number, before);
            }
        }
    }

    /// Returns the target of a redirection. Braces in it are expanded, and blanks in a variable split
    /// it.
    private String target(Redirection one, State state) {
        if (one.sign().startsWith("<<")) {
            return evaluator.expander.text(one.target(), state);
        }
        List<String> fields = evaluator.expander.fields(List.of(one.target()), state);
        if (fields.size() > 1) {
            evaluator.findings.unknown("It names more than one file where there can be only one.");
        }
        return fields.isEmpty() ? "" : fields.getLast();
    }

    Streams of(List<Redirection> signs, State state) {
        Optional<Input> input = Optional.empty();
        Optional<String> output = Optional.empty();
        boolean appends = false;
        boolean aside = false;
        boolean opens = false;
        List<String> shown = new ArrayList<>();
        for (Redirection one : signs) {
            String target = target(one, state);
            String descriptor = descriptor(one, state);
            shown.add(one.sign().equals("<<") ? "<<" : one.sign() + " " + evaluator.lines.word(target));
            boolean duplicates = one.sign().endsWith("&") && target.matches("-|\\d+-?");
            opens |= !duplicates && !one.sign().startsWith("<<") && !target.equals("/dev/null");
            if (!one.writes() || one.sign().equals("<>")) {
                Input read = input(one, target, state);
                state.descriptors.put(descriptor.isEmpty() ? "0" : descriptor, read);
                input = descriptor.isEmpty() || descriptor.equals("0") ? Optional.of(read) : input;
            }
            if (one.writes() && duplicates) {
                aside |= descriptor.isEmpty() || descriptor.equals("1");
            } else if (one.writes()) {
                evaluator.targets.noted("write", target, state);
                if (!one.target().quoted()) {
                    evaluator.targets.wild(target);
                }
                boolean out = descriptor.isEmpty() || descriptor.equals("1");
                if (out) {
                    output = Optional.of(evaluator.targets.key(target, state));
                    appends = one.sign().endsWith(">>");
                } else {
                    state.files.put(evaluator.targets.key(target, state), UnknownValues.ORDINARY);
                }
            }
        }
        String all = shown.isEmpty() ? "" : " " + String.join(" ", shown);
        return new Streams(input, output, appends, aside, opens, all);
    }

    /// Returns the number of a descriptor. `{name}>file` sets a variable to a free number.
    private String descriptor(Redirection one, State state) {
        if (!one.descriptor().startsWith("{")) {
            return one.descriptor();
        }
        String number = String.valueOf(FIRST_NAMED + state.descriptors.size());
        String name = one.descriptor().replaceAll("[{}]", "");
        evaluator.formulas.inner(name, state);
        state.set(name, number);
        OwnVariables.assigned(name, state, evaluator.findings);
        return number;
    }

    private Input input(Redirection one, String target, State state) {
        if (one.document().isPresent()) {
            return new Input(evaluator.expander.text(one.document().get().body(), state));
        }
        return switch (one.sign()) {
            case "<<<" -> new Input(target + "\n");
            case "<&" ->
                target.equals("0")
                        ? state.input
                        : Optional.ofNullable(state.descriptors.get(target.replace("-", "")))
                                .orElseGet(() -> new Input(
                                        evaluator.findings.marks.made(target)
                                                ? UnknownValues.MADE
                                                : UnknownValues.ORDINARY));
            default ->
                evaluator.targets.stream(target, state)
                        .orElseGet(() -> new Input(evaluator.findings.marks.output("cat")));
        };
    }
}
