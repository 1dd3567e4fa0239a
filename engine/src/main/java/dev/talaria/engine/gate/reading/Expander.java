package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.ShellWord.Part;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Expands words as a shell does: braces, `~`, variables, substitutions, formulas, and splitting at
/// blanks.
final class Expander {
    static final String USUAL_SEPARATORS = " \t\n";

    private final Findings findings;
    private final Evaluator evaluator;
    private final Parameters parameters;
    private final Substitutions substitutions;
    private Optional<Map<Character, Integer>> chosen = Optional.empty(); // the way that is evaluated now

    Expander(Findings findings, Evaluator evaluator) {
        this.findings = findings;
        this.evaluator = evaluator;
        this.parameters = new Parameters(evaluator, this);
        this.substitutions = new Substitutions(evaluator);
    }

    /// The fields that a word is split into.
    private static final class Fields {
        private final List<String> done = new ArrayList<>();
        private final StringBuilder current = new StringBuilder();
        private boolean open;

        void add(String text) {
            current.append(text);
            open = true;
        }

        void end() {
            if (open) {
                done.add(current.toString());
                current.setLength(0);
                open = false;
            }
        }

        /// Adds a value outside of quotes. Its separators split it.
        void split(String value, String separators) {
            for (int i = 0; i < value.length(); i++) {
                char c = value.charAt(i);
                if (separators.indexOf(c) < 0) {
                    current.append(c);
                    open = true;
                } else if (USUAL_SEPARATORS.indexOf(c) >= 0) {
                    end();
                } else {
                    open = true; // `a::b` contains an empty field
                    end();
                }
            }
        }
    }

    /// Does something once for each way that earlier branches allow.
    ///
    /// @param round what is done on each way
    void eachWay(Runnable round) {
        if (!findings.marks.choices() || chosen.isPresent()) {
            round.run();
            return;
        }
        Map<Character, Integer> ways = new LinkedHashMap<>();
        chosen = Optional.of(ways);
        try {
            int rounds = 0;
            do {
                round.run();
                if (++rounds > 40) {
                    findings.unknown("What it does depends on too many things before it.");
                    return;
                }
            } while (next(ways));
        } finally {
            chosen = Optional.empty();
        }
    }

    boolean onOneWay() {
        return chosen.isPresent();
    }

    private boolean next(Map<Character, Integer> ways) {
        List<Character> marks = new ArrayList<>(ways.keySet());
        for (char mark : marks.reversed()) {
            int options =
                    findings.marks.of(mark).map(one -> one.options().size()).orElse(1);
            int way = ways.getOrDefault(mark, 0);
            if (way + 1 < options) {
                ways.put(mark, way + 1);
                return true;
            }
            ways.remove(mark);
        }
        return false;
    }

    /// Returns a text as it is on the way that is evaluated now.
    String way(String text) {
        if (!UnknownValues.any(text) || chosen.isEmpty()) {
            return text;
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            Optional<List<String>> options = findings.marks.options(text.substring(i, i + 1));
            if (options.isPresent()) {
                int way = chosen.get().computeIfAbsent(c, _ -> 0);
                out.append(way(options.get().get(way)));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    List<String> fields(List<ShellWord> words, State state) {
        List<String> all = new ArrayList<>();
        for (ShellWord word : words) {
            Optional<List<ShellWord>> alternatives = Braces.expand(word);
            if (alternatives.isEmpty()) {
                findings.giveUp("its braces stand for too many words");
            }
            alternatives.ifPresent(found -> found.forEach(one -> all.addAll(fields(one, state))));
        }
        return all;
    }

    private List<String> fields(ShellWord word, State state) {
        Fields fields = new Fields();
        boolean first = true;
        for (Part part : word.parts()) {
            if (findings.over()) {
                return fields.done;
            }
            switch (part) {
                case Part.Text(String text, boolean quoted) -> {
                    if (quoted || !text.isEmpty()) {
                        fields.add(first && !quoted ? tilde(text, state) : text);
                    }
                }
                case Part.Parameter parameter ->
                    add(fields, parameters.value(parameter, state), parameter.quoted(), state);
                case Part.Substitution(Node body, boolean quoted) -> {
                    String output = way(substitutions.output(body, state));
                    if (quoted) {
                        fields.add(output);
                    } else {
                        fields.split(output, separators(state));
                    }
                }
                case Part.ProcessFile process -> fields.add(substitutions.file(process, state));
                case Part.Formula(ShellWord formula, boolean quoted) -> {
                    String value = formula(formula, state);
                    if (quoted) {
                        fields.add(value);
                    } else {
                        fields.split(value, separators(state)); // IFS may contain digits
                    }
                }
            }
            first = false;
        }
        fields.end();
        return word.wild() && findings.oddNames()
                ? fields.done.stream().map(Expander::names).toList()
                : fields.done;
    }

    private static String names(String field) {
        return Globs.wild(field) ? UnknownValues.MADE : field;
    }

    private void add(Fields fields, Parameters.Values values, boolean quoted, State state) {
        if (!quoted) {
            String separators = separators(state);
            for (int i = 0; i < values.texts().size(); i++) {
                if (i > 0) {
                    fields.end();
                }
                fields.split(way(values.texts().get(i)), separators);
            }
            return;
        }
        if (!values.separate()) {
            fields.add(way(String.join(values.glue(), values.texts())));
            return;
        }
        for (int i = 0; i < values.texts().size(); i++) {
            if (i > 0) {
                fields.end();
            }
            fields.add(way(values.texts().get(i)));
        }
    }

    private String separators(State state) {
        String separators = ifs(state);
        if (UnknownValues.any(separators)) {
            findings.unknown("It sets IFS to something that is not known beforehand.");
            return USUAL_SEPARATORS;
        }
        return separators;
    }

    /// Returns the characters that separate words. Without the variable those are the usual ones; if
    /// it is empty, there are none.
    String ifs(State state) {
        Variable variable = state.variables.get("IFS");
        return variable == null || variable.elements().isEmpty() ? USUAL_SEPARATORS : way(variable.text());
    }

    /// Returns a word's text without splitting it: for an assignment, a file's name, a here-document.
    String text(ShellWord word, State state) {
        StringBuilder out = new StringBuilder();
        boolean first = true;
        for (Part part : word.parts()) {
            switch (part) {
                case Part.Text(String text, boolean quoted) -> out.append(first && !quoted ? tilde(text, state) : text);
                case Part.Parameter parameter -> {
                    Parameters.Values values = parameters.value(parameter, state);
                    out.append(String.join(values.separate() ? " " : values.glue(), values.texts()));
                }
                case Part.Substitution(Node body, boolean _) -> out.append(substitutions.output(body, state));
                case Part.ProcessFile process -> out.append(substitutions.file(process, state));
                case Part.Formula(ShellWord formula, boolean _) -> out.append(formula(formula, state));
            }
            first = false;
            if (!findings.expand("") || out.length() > Reading.LONGEST) {
                findings.giveUp("its words expand to more than " + Reading.LONGEST + " characters");
                return "";
            }
        }
        return way(out.toString());
    }

    /// Returns a word as a pattern, in which quoted characters stand for themselves.
    String pattern(ShellWord word, State state) {
        StringBuilder out = new StringBuilder();
        for (Part part : word.parts()) {
            boolean quoted = switch (part) {
                case Part.Text text -> text.quoted();
                case Part.Parameter parameter -> parameter.quoted();
                case Part.Substitution substitution -> substitution.quoted();
                case Part.ProcessFile _, Part.Formula _ -> true;
            };
            String text = text(new ShellWord(List.of(part)), state);
            out.append(quoted ? text.replaceAll("[*?\\[\\]\\\\]", "\\\\$0") : text);
        }
        return out.toString();
    }

    String formula(ShellWord formula, State state) {
        return evaluator.formulas.value(text(formula, state), state);
    }

    private String tilde(String text, State state) {
        if (!text.startsWith("~")) {
            return text;
        }
        int slash = text.indexOf('/');
        String who = slash < 0 ? text.substring(1) : text.substring(1, slash);
        String rest = slash < 0 ? "" : text.substring(slash);
        return switch (who) {
            case "" -> home(state) + rest;
            case "+" -> state.folder + rest;
            case "-" -> state.text("OLDPWD").orElse(UnknownValues.ORDINARY) + rest;
            case "root" -> "/root" + rest;
            default ->
                who.matches("[-+]?\\d+") // a folder that pushd has stored
                        ? UnknownValues.MADE + rest
                        : who.matches("[a-z_][a-z0-9_]*") ? "/home/" + who + rest : text;
        };
    }

    private String home(State state) {
        Variable home = state.variables.get("HOME");
        return home == null || home.elements().isEmpty()
                ? evaluator.surroundings.home().path()
                : home.text();
    }
}
