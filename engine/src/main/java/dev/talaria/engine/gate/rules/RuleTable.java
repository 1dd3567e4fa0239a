package dev.talaria.engine.gate.rules;

import dev.talaria.api.ReachableArea;
import dev.talaria.engine.gate.reading.Reading;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// A table of rules, indexed so that a command is compared only with the rules that can be about it.
public final class RuleTable {
    /// The number of characters that patterns may scan in all for one command. It keeps hostile texts
    /// cheap.
    private static final int MOST_WORK = 1_500_000;

    private final List<Rule> rules;
    private final boolean places; // whether the target of a relative path matters
    private final Map<String, List<Rule>> byProgram = new HashMap<>();
    private final List<Rule> anyProgram;
    private final Map<Rule.On, List<Rule>> byKind;

    private RuleTable(List<Rule> rules, boolean places) {
        this.rules = rules;
        this.places = places;
        for (Rule rule : rules) {
            rule.programs()
                    .forEach(name -> byProgram
                            .computeIfAbsent(name, _ -> new ArrayList<>())
                            .add(rule));
        }
        byKind = rules.stream().collect(Collectors.groupingBy(Rule::on));
        anyProgram = rules.stream()
                .filter(rule -> ofCommands(rule) && rule.programs().isEmpty())
                .toList();
    }

    /// Returns the table of commands that must never run where the host is in reach.
    public static RuleTable hard() {
        return new RuleTable(RuleFile.read("hard.rules"), true);
    }

    /// Returns the table of commands that a person is asked about where the host is in reach.
    public static RuleTable dangerous() {
        return new RuleTable(RuleFile.read("dangerous.rules"), false);
    }

    public List<Rule> rules() {
        return rules;
    }

    /// The rules that match a command.
    ///
    /// @param rules the matching rules, in the table's order
    /// @param unfinished whether the text was too long to check: then nothing else may be concluded
    public record Judgement(List<Rule> rules, boolean unfinished) {
        public Judgement {
            rules = List.copyOf(rules);
        }

        /// Returns the rules whose damage can happen where only this is in reach.
        public Judgement within(Set<ReachableArea> reach) {
            return new Judgement(
                    rules.stream()
                            .filter(rule -> rule.harm().stream().anyMatch(reach::contains))
                            .toList(),
                    unfinished && !reach.isEmpty());
        }

        /// Returns the first rule, if any matches.
        public Optional<Rule> first() {
            return rules.stream().findFirst();
        }
    }

    /// Judges a command.
    public Judgement judge(Reading reading) {
        return judge(reading, () -> Statements.of(reading));
    }

    /// Judges a command and its input.
    public Judgement judge(Reading reading, String input) {
        return judge(reading, () -> Statements.of(reading, input));
    }

    private Judgement judge(Reading reading, Supplier<Statements> statements) {
        Work work = new Work();
        if (readsStatements()) {
            statements(statements.get(), work);
        }
        reading.commands().forEach(line -> command(line, work));
        if (places) {
            reading.resolved().forEach(line -> command(line, work));
        }
        reading.writes().forEach(line -> work.look(line, on(Rule.On.WRITE)));
        reading.code().forEach(code -> work.look(code, on(Rule.On.CODE)));
        reading.pipelines().forEach(line -> work.look(line, on(Rule.On.PIPELINE)));
        if (!Statements.TEXT_ONLY.containsAll(reading.programs())) {
            work.look(reading.text(), on(Rule.On.TEXT));
        }
        return work.judgement(rules);
    }

    /// Judges text that is typed into a program.
    ///
    /// @param process the command that the program was started with
    public Judgement judgeInput(Reading process, String typed) {
        Work work = new Work();
        if (readsStatements()) {
            statements(Statements.read(process, typed), work);
        }
        return work.judgement(rules);
    }

    private boolean readsStatements() {
        return byKind.containsKey(Rule.On.STATEMENT) || byKind.containsKey(Rule.On.CLIENT);
    }

    private void statements(Statements found, Work work) {
        found.anybodys().forEach(one -> work.look(one, on(Rule.On.STATEMENT)));
        found.clients().forEach(one -> work.look(one, on(Rule.On.CLIENT)));
    }

    /// Checks a command as it is, and in its normal form if that differs.
    private void command(String line, Work work) {
        String normal = NormalForm.of(line);
        work.look(normal, of(program(normal)));
        if (!normal.equals(line)) {
            work.look(line, literal(of(program(line))));
        }
    }

    private static List<Rule> literal(List<Rule> rules) {
        return rules.stream().filter(rule -> rule.on() == Rule.On.COMMAND).toList();
    }

    private static boolean ofCommands(Rule rule) {
        return rule.on() == Rule.On.COMMAND || rule.on() == Rule.On.NORMAL;
    }

    /// Judges a change that a tool makes to one file, by its path.
    public Judgement judgeWrite(String path) {
        return judgeChange("write " + path);
    }

    /// Judges one of a reading's `writes`.
    Judgement judgeChange(String line) {
        Work work = new Work();
        work.look(line, on(Rule.On.WRITE));
        return work.judgement(rules);
    }

    private List<Rule> on(Rule.On kind) {
        return byKind.getOrDefault(kind, List.of());
    }

    /// Returns the rules for a program's commands.
    private List<Rule> of(String program) {
        List<Rule> all = new ArrayList<>(byProgram.getOrDefault(program, List.of()));
        int end = program.length();
        while (end > 0 && (program.charAt(end - 1) == '.' || Character.isDigit(program.charAt(end - 1)))) {
            end--;
        }
        if (end < program.length()) { // python3.11 is python
            all.addAll(byProgram.getOrDefault(program.substring(0, end), List.of()));
        }
        all.addAll(anyProgram);
        return all;
    }

    private static String program(String line) {
        int end = line.indexOf(' ');
        return end < 0 ? line : line.substring(0, end);
    }

    /// Checks one command against the table. A rule that has matched is not tried again.
    private static final class Work {
        private final Set<Rule> matching = Collections.newSetFromMap(new IdentityHashMap<>());
        private int left = MOST_WORK;

        void look(String line, List<Rule> candidates) {
            if (candidates.isEmpty()) {
                return;
            }
            String folded = folded(line);
            for (Rule rule : candidates) {
                if (left >= 0 && !matching.contains(rule) && possible(rule, folded)) {
                    left -= (line.length() + 20) * rule.match().size();
                    if (left >= 0 && rule.matches(line)) {
                        matching.add(rule);
                    }
                }
            }
        }

        Judgement judgement(List<Rule> all) {
            return new Judgement(all.stream().filter(matching::contains).toList(), left < 0);
        }

        private static boolean possible(Rule rule, String folded) {
            return rule.has().isEmpty() || rule.has().stream().anyMatch(folded::contains);
        }

        /// Returns a line in small letters, as a case-insensitive pattern would see it.
        private static String folded(String line) {
            char[] all = line.toCharArray();
            for (int i = 0; i < all.length; i++) {
                all[i] = Character.toLowerCase(all[i] < 128 ? all[i] : Character.toUpperCase(all[i]));
            }
            return new String(all);
        }
    }
}
