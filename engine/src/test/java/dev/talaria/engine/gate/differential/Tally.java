package dev.talaria.engine.gate.differential;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What came out of all commands. Safe for several threads.
final class Tally {
    /// A command whose judgement was wrong, or that did not do what it was made for.
    ///
    /// @param number which of the generator's commands it comes from
    record Finding(int number, Sample sample, String reached, String word) {
        @Override
        public String toString() {
            return "#%d  %s%n    gate: %s; reached: %s%n%s"
                    .formatted(
                            number,
                            sample.chain(),
                            word,
                            reached,
                            sample.command().indent(8));
        }
    }

    private final Map<String, Integer> reached = new TreeMap<>();
    private final Map<Integer, Finding> passed = new TreeMap<>();
    private final Map<Integer, Finding> overasked = new TreeMap<>();
    private final Map<Integer, Finding> missed = new TreeMap<>();
    private int reaching;
    private int idle;
    private int late;

    Tally(Iterable<String> constructions) {
        constructions.forEach(id -> reached.put(id, 0));
    }

    /// Counts a command.
    ///
    /// @param lets whether the gate lets it through
    synchronized void count(Finding finding, Outcome outcome, boolean lets) {
        late += outcome.late() ? 1 : 0;
        if (outcome.reached()) {
            reaching++;
            finding.sample().layers().stream()
                    .distinct()
                    .forEach(one -> reached.computeIfPresent(one.id(), (_, n) -> n + 1));
            return;
        }
        idle++;
        if (finding.sample().leaf().dangerous()
                && finding.sample().layers().stream().noneMatch(Construction::stops)) {
            missed.put(finding.number(), finding);
        }
        if (!lets) {
            overasked.put(finding.number(), finding);
        }
    }

    synchronized void offender(Finding smallest) {
        passed.put(smallest.number(), smallest);
    }

    synchronized List<Finding> passed() {
        return List.copyOf(passed.values());
    }

    synchronized Map<String, Integer> reached() {
        return Map.copyOf(reached);
    }

    synchronized double askedShare() {
        return idle == 0 ? 0 : (double) overasked.size() / idle;
    }

    synchronized List<Finding> overasked() {
        return List.copyOf(overasked.values());
    }

    /// Returns commands that were meant to reach their leaf and did not.
    synchronized List<Finding> missed() {
        return List.copyOf(missed.values());
    }

    synchronized String numbers() {
        Map.Entry<String, Integer> rarest =
                reached.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
        return """
                let through and reached its leaf: %d of %d that reach it
                each of %d constructions reached: at least %d times (%s)
                asked about without reaching a leaf: %.1f %% of %d
                (meant to reach a leaf and did not: %d; ended late: %d)""".formatted(
                        passed.size(),
                        reaching,
                        reached.size(),
                        rarest.getValue(),
                        rarest.getKey(),
                        100 * askedShare(),
                        idle,
                        missed.size(),
                        late);
    }

    /// Returns findings by what they were made of, the most frequent first, with a few of each.
    static String grouped(List<Finding> findings, int examples) {
        Map<String, List<Finding>> groups = findings.stream()
                .collect(Collectors.groupingBy(finding -> ids(finding.sample()), TreeMap::new, Collectors.toList()));
        return groups.entrySet().stream()
                .sorted((a, b) -> b.getValue().size() - a.getValue().size())
                .flatMap(group -> Stream.concat(
                        Stream.of("== %s: %d"
                                .formatted(group.getKey(), group.getValue().size())),
                        group.getValue().stream().limit(examples).map(Finding::toString)))
                .collect(Collectors.joining("\n"));
    }

    private static String ids(Sample sample) {
        return sample.layers().isEmpty()
                ? "leaf " + sample.leaf().id()
                : sample.layers().stream().map(Construction::id).collect(Collectors.joining(" < "));
    }
}
