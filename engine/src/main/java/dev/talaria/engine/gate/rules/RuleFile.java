package dev.talaria.engine.gate.rules;

import dev.talaria.api.ReachableArea;
import dev.talaria.engine.util.Resources;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads a table of rules. Its language, line by line:
///
/// - `define NAME PATTERN` makes `{NAME}` stand for the pattern, here and in later definitions
/// - `rule KEY` begins a rule; the indented lines that follow belong to it
/// - `why SENTENCE` is the explanation for a person
/// - `of PROGRAM ...` names the programs that the rule is about
/// - `on command|normal|pipeline|write|code|text|statement|client` is the form that it is matched on;
///   the default is `command`
/// - `harm host|work|outside ...` is what the command damages; the default is `host`
/// - `has TEXT TEXT ...` are texts of which one must be there; a text cannot contain blanks
/// - `match PATTERN` (RE2) may stand several times: one of them must be found
/// - `unless PATTERN` may stand several times: none of them may be found
final class RuleFile {
    private final Map<String, String> definitions = new LinkedHashMap<>();
    private final List<Rule> rules = new ArrayList<>();
    private @Nullable Draft draft;

    private static final class Draft {
        private final String key;
        private String why = "";
        private Rule.On on = Rule.On.COMMAND;
        private final Set<ReachableArea> harm = EnumSet.noneOf(ReachableArea.class);
        private final Set<String> programs = new HashSet<>();
        private final List<String> has = new ArrayList<>();
        private final List<LinePattern> match = new ArrayList<>();
        private final List<LinePattern> unless = new ArrayList<>();

        Draft(String key) {
            this.key = key;
        }

        Rule rule() {
            return new Rule(
                    key, why, on, harm.isEmpty() ? Set.of(ReachableArea.HOST) : harm, programs, has, match, unless);
        }
    }

    private RuleFile() {}

    /// Returns the rules of a resource next to this class.
    static List<Rule> read(String resource) {
        RuleFile file = new RuleFile();
        lines(resource).forEach(file::line);
        file.finish();
        return List.copyOf(file.rules);
    }

    /// Returns the lines of a resource next to this class, without comments and empty lines.
    static List<String> lines(String resource) {
        return Resources.text(RuleFile.class, resource)
                .lines()
                .filter(line -> !line.isBlank() && !line.stripLeading().startsWith("#"))
                .toList();
    }

    private void line(String line) {
        String written = line.stripLeading();
        int blank = written.indexOf(' ');
        String word = written.substring(0, blank);
        String rest = written.substring(blank + 1); // blanks at the end belong to a pattern
        switch (word) {
            case "define" -> {
                int end = rest.indexOf(' ');
                definitions.put("{" + rest.substring(0, end) + "}", expand(rest.substring(end + 1)));
            }
            case "rule" -> {
                finish();
                draft = new Draft(rest);
            }
            default -> detail(word, rest);
        }
    }

    private void detail(String word, String rest) {
        if (draft == null) {
            throw new IllegalStateException("'" + word + "' stands outside of a rule.");
        }
        switch (word) {
            case "why" -> draft.why = rest;
            case "on" -> draft.on = Rule.On.valueOf(rest.toUpperCase(Locale.ROOT));
            case "harm" ->
                Stream.of(rest.split(" ", -1))
                        .map(name -> ReachableArea.valueOf(name.toUpperCase(Locale.ROOT)))
                        .forEach(draft.harm::add);
            case "of" -> draft.programs.addAll(List.of(rest.split(" ", -1)));
            case "has" -> draft.has.addAll(List.of(rest.split(" ", -1)));
            case "match" -> draft.match.add(new LinePattern(expand(rest)));
            case "unless" -> draft.unless.add(new LinePattern(expand(rest)));
            default -> throw new IllegalStateException("There is no '" + word + "' in a table of rules.");
        }
    }

    private void finish() {
        if (draft != null) {
            rules.add(draft.rule());
            draft = null;
        }
    }

    private String expand(String pattern) {
        String expanded = pattern;
        for (Map.Entry<String, String> definition : definitions.entrySet()) {
            expanded = expanded.replace(definition.getKey(), definition.getValue());
        }
        return expanded;
    }
}
