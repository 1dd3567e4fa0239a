package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Node.Item;
import dev.talaria.engine.gate.reading.ShellWord.Part;
import java.util.List;
import java.util.Optional;

/// Evaluates the commands in `$(...)`, backticks, `<(...)` and `>(...)`.
final class Substitutions {
    private final Evaluator evaluator;

    Substitutions(Evaluator evaluator) {
        this.evaluator = evaluator;
    }

    /// Returns the value of a substitution: what its commands print, without line breaks at the end.
    String output(Node body, State state) {
        State copy = state.copy();
        Optional<String> file = fileOf(body, copy);
        Outcome outcome =
                file.isPresent() ? Outcome.SILENT : evaluator.jumps.inShell(copy, () -> evaluator.run(body, copy));
        state.effectsOf(copy);
        String printed = file.orElse(outcome.output());
        int end = printed.length();
        while (end > 0 && printed.charAt(end - 1) == '\n') {
            end--;
        }
        return printed.substring(0, end).replace("\0", "");
    }

    /// Returns the content of the file in `$(< file)`.
    private Optional<String> fileOf(Node body, State state) {
        return body instanceof Node.Sequence(List<Item> items)
                        && items.size() == 1
                        && items.getFirst().node() instanceof Node.Simple simple
                        && simple.words().isEmpty()
                        && simple.assignments().isEmpty()
                        && simple.redirections().size() == 1
                        && !simple.redirections().getFirst().writes()
                ? Optional.of(evaluator
                        .redirections
                        .of(simple.redirections(), state)
                        .input()
                        .map(Input::rest)
                        .orElse(""))
                : Optional.empty();
    }

    /// Returns the name of the file that `<(...)` creates.
    String file(Part.ProcessFile process, State state) {
        State copy = state.copy();
        if (!process.reads()) {
            copy.input = new Input(UnknownValues.MADE);
        }
        Outcome outcome = evaluator.jumps.inShell(copy, () -> evaluator.run(process.body(), copy));
        String first = outcome.lines().isEmpty() ? "" : outcome.lines().getLast();
        int blank = first.indexOf(' ');
        String program = blank < 0 ? first : first.substring(0, blank);
        String path = evaluator.findings.marks.fresh((process.reads() ? "<(" : ">(") + program + ")");
        state.effectsOf(copy);
        state.files.put(path, process.reads() ? outcome.output() : UnknownValues.MADE);
        return path;
    }
}
