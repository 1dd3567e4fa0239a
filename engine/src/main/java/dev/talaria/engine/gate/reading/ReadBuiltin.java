package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Outcome.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Evaluates `read` and `mapfile`, which give variables values from the input.
final class ReadBuiltin {
    private final Evaluator evaluator;

    ReadBuiltin(Evaluator evaluator) {
        this.evaluator = evaluator;
    }

    /// The options of one `read`.
    private static final class ReadOptions {
        private boolean raw;
        private boolean list;
        private boolean cut; // it stops in the middle of the line
        private boolean all; // it reads up to the end
        private boolean perhaps; // it may give up, and set nothing
        private Optional<String> descriptor = Optional.empty();
        private final List<String> names = new ArrayList<>();
    }

    Outcome line(List<String> arguments, State state) {
        ReadOptions told = told(arguments);
        told.names.forEach(name -> evaluator.formulas.inner(name, state));
        Input input = told.descriptor
                .map(number -> Optional.ofNullable(state.descriptors.get(number))
                        .orElseGet(() -> new Input(UnknownValues.ORDINARY)))
                .orElse(state.input);
        if (input.rest().equals(ShellContext.TYPED)) {
            assign(told, UnknownValues.ORDINARY, state);
            return Outcome.SILENT;
        }
        if (input.rest().isEmpty()) {
            assign(told, "", state);
            return Outcome.nothing(Status.NO);
        }
        int newline = input.rest().indexOf('\n');
        String next = newline < 0 ? input.rest() : input.rest().substring(0, newline);
        boolean unclear = UnknownValues.any(next) || told.cut || (!told.raw && next.indexOf('\\') >= 0);
        if (unclear) {
            assign(
                    told,
                    evaluator.findings.marks.outside(told.cut || next.indexOf('\\') >= 0 ? UnknownValues.MADE : next),
                    state);
            if (!UnknownValues.any(next)) {
                input.spoil();
            } else if (newline >= 0) {
                input.takeLine();
            }
            return Outcome.SILENT;
        }
        assign(told, told.all ? input.takeAll() : input.takeLine(), state);
        return Outcome.nothing(newline < 0 || told.all ? Status.MAYBE : Status.YES);
    }

    private static ReadOptions told(List<String> arguments) {
        ReadOptions told = new ReadOptions();
        for (int i = 0; i < arguments.size(); i++) {
            String text = arguments.get(i);
            if (text.length() < 2 || text.charAt(0) != '-') {
                told.names.add(text);
                continue;
            }
            for (int k = 1; k < text.length(); k++) {
                char letter = text.charAt(k);
                told.raw |= letter == 'r';
                if (letter == 'a') {
                    told.list = true;
                    if (k + 1 < text.length()) {
                        told.names.addFirst(text.substring(k + 1));
                        break;
                    }
                }
                if ("nNdpitu".indexOf(letter) >= 0) {
                    boolean apart = k + 1 == text.length();
                    String value = !apart ? text.substring(k + 1) : i + 1 < arguments.size() ? arguments.get(++i) : "";
                    told.all |= letter == 'd' && value.isEmpty();
                    told.cut |= letter == 'n' || letter == 'N' || (letter == 'd' && !value.isEmpty());
                    told.descriptor = letter == 'u' ? Optional.of(value) : told.descriptor;
                    told.perhaps |= letter == 't' || letter == 'u';
                    break;
                }
            }
        }
        if (told.names.isEmpty()) {
            told.names.add("REPLY");
        }
        return told;
    }

    private void assign(ReadOptions told, String value, State state) {
        if (told.names.size() == 1 && !told.list) {
            String name = told.names.getFirst();
            set(told, name, name.equals("REPLY") ? value : stripped(value, state), state);
            return;
        }
        String separators = state.text("IFS").orElse(Expander.USUAL_SEPARATORS);
        boolean usual = separators.equals(Expander.USUAL_SEPARATORS) || separators.equals(" ");
        if (!usual || UnknownValues.any(value)) {
            String unknown = value.isEmpty() ? "" : evaluator.findings.marks.blurred(value);
            told.names.forEach(name -> set(told, name, unknown, state));
            return;
        }
        List<String> words = value.isBlank() ? List.of() : List.of(value.strip().split("[ \t\n]+", -1));
        if (told.list) {
            state.variables.put(told.names.getFirst(), Variable.of(words));
            return;
        }
        for (int i = 0; i < told.names.size(); i++) {
            boolean last = i == told.names.size() - 1;
            String rest = i < words.size() ? String.join(" ", words.subList(i, last ? words.size() : i + 1)) : "";
            set(told, told.names.get(i), rest, state);
        }
    }

    /// Returns a line without the separators at its ends.
    private static String stripped(String value, State state) {
        String separators = state.text("IFS").orElse(Expander.USUAL_SEPARATORS);
        boolean own =
                separators.chars().anyMatch(c -> Expander.USUAL_SEPARATORS.indexOf(c) < 0 && value.indexOf(c) >= 0);
        if (own || UnknownValues.any(separators)) {
            return UnknownValues.MADE;
        }
        return separators.isBlank() && separators.length() > 0 ? value.strip() : value;
    }

    private void set(ReadOptions told, String name, String value, State state) {
        boolean element = Assignments.element(name, state);
        if (!element && told.perhaps) {
            Assignments.perhaps(name, value, state, evaluator);
        } else if (!element) {
            Assignments.set(name, value, state, evaluator);
        }
        if (!name.equals("REPLY")) {
            OwnVariables.assigned(name, state, evaluator.findings);
        }
    }

    Outcome lines(List<String> arguments, State state) {
        String name = "MAPFILE";
        Input input = state.input;
        for (int i = 0; i < arguments.size(); i++) {
            String text = arguments.get(i);
            if (text.matches("-t*C.*")) {
                evaluator.findings.unknown("It has the shell run something for lines that it reads.");
            }
            if (text.matches("-t*[dnOsCcu]")) {
                i++;
            } else if (!text.startsWith("-")) {
                name = text;
            }
        }
        String all = input.takeAll().replace(ShellContext.TYPED, UnknownValues.ORDINARY);
        boolean plain = arguments.stream().allMatch(text -> text.equals("-t") || !text.startsWith("-"));
        state.variables.put(
                name,
                UnknownValues.any(all) || !plain
                        ? Variable.of(List.of(evaluator.findings.marks.outside(plain ? all : UnknownValues.MADE)))
                        : Variable.of(
                                all.isEmpty()
                                        ? List.of()
                                        : List.of(all.replaceFirst("\n$", "").split("\n", -1))));
        if (!name.equals("MAPFILE")) {
            OwnVariables.assigned(name, state, evaluator.findings);
        }
        return Outcome.SILENT;
    }
}
