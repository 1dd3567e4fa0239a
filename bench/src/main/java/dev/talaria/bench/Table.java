package dev.talaria.bench;

import dev.talaria.engine.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// Prints outcomes: for people, for machines, or in Markdown for `docs/benchmarks.md`.
///
/// @param machine facts about the machine of the measurements
record Table(Map<String, Object> machine, List<Outcome> outcomes) {
    private static final List<String> HEAD =
            List.of("row", "floor", "p90", "plain", "ours", "p90", "ratio", "bound", "verdict");

    Table {
        outcomes = List.copyOf(outcomes);
    }

    String text() {
        List<List<String>> lines = lines();
        List<Integer> widths = new ArrayList<>();
        for (int column = 0; column < HEAD.size(); column++) {
            int at = column;
            widths.add(
                    lines.stream().mapToInt(line -> line.get(at).length()).max().orElse(0));
        }
        StringBuilder text = new StringBuilder();
        machine.forEach((name, value) -> text.append(String.format("%-12s %s%n", name.replace('_', ' '), value)));
        text.append('\n');
        for (List<String> line : lines) {
            StringBuilder padded = new StringBuilder();
            for (int column = 0; column < line.size(); column++) {
                boolean leftAligned = column == 0 || column == line.size() - 1;
                padded.append(String.format((leftAligned ? "%-" : "%") + widths.get(column) + "s  ", line.get(column)));
            }
            text.append(padded.toString().stripTrailing()).append('\n');
        }
        text.append('\n');
        outcomes.forEach(outcome -> text.append(outcome.row().name())
                .append(": ")
                .append(String.join("; ", remarks(outcome)))
                .append('\n'));
        return text.toString();
    }

    String markdown() {
        StringBuilder text = new StringBuilder();
        machine.forEach((name, value) -> text.append("- ")
                .append(name.replace('_', ' '))
                .append(": ")
                .append(value)
                .append('\n'));
        text.append('\n');
        List<List<String>> lines = new ArrayList<>(lines());
        lines.add(
                1,
                HEAD.stream()
                        .map(name -> name.equals("row") || name.equals("verdict") ? "---" : "---:")
                        .toList());
        lines.forEach(line -> text.append("| ").append(String.join(" | ", line)).append(" |\n"));
        List<Outcome> remarked = outcomes.stream()
                .filter(outcome -> !outcome.remarks().isEmpty())
                .toList();
        if (!remarked.isEmpty()) {
            text.append('\n');
        }
        remarked.forEach(outcome -> text.append("- ")
                .append(outcome.row().name())
                .append(": ")
                .append(String.join("; ", outcome.remarks()))
                .append('\n'));
        return text.toString();
    }

    String json() {
        return Json.pretty(Map.of(
                "machine", machine, "rows", outcomes.stream().map(Table::object).toList()));
    }

    private List<List<String>> lines() {
        List<List<String>> lines = new ArrayList<>();
        lines.add(HEAD);
        outcomes.forEach(outcome -> lines.add(line(outcome)));
        return lines;
    }

    private static List<String> line(Outcome outcome) {
        String name = outcome.row().name();
        String bound = Double.isInfinite(outcome.row().bound())
                ? "-"
                : factor(outcome.row().bound());
        return switch (outcome) {
            case Outcome.Done done -> line(name, done.measured(), bound, outcome.verdict());
            case Outcome.Skipped _, Outcome.Broken _ ->
                List.of(name, "-", "-", "-", "-", "-", "-", bound, outcome.verdict());
        };
    }

    private static List<String> line(String name, Measurement measured, String bound, String verdict) {
        return List.of(
                name,
                time(measured.floor().median()),
                time(measured.floor().p90()),
                measured.plain().map(plain -> time(plain.median())).orElse("-"),
                time(measured.ours().median()),
                time(measured.ours().p90()),
                factor(measured.ratio()),
                bound,
                verdict);
    }

    private static List<String> remarks(Outcome outcome) {
        List<String> all = new ArrayList<>();
        all.add(outcome.row().what());
        all.addAll(outcome.remarks());
        return all;
    }

    private static Map<String, Object> object(Outcome outcome) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("row", outcome.row().name());
        object.put("what", outcome.row().what());
        object.put(
                "bound",
                Double.isInfinite(outcome.row().bound())
                        ? "none"
                        : outcome.row().bound());
        object.put("verdict", outcome.verdict());
        if (outcome instanceof Outcome.Done done) {
            Measurement measured = done.measured();
            object.put("ratio", measured.ratio());
            object.put("floor", object(measured.floor()));
            measured.plain().ifPresent(plain -> object.put("plain", object(plain)));
            object.put("ours", object(measured.ours()));
            object.put("not_counted_ns", measured.overhead());
        }
        object.put("remarks", outcome.remarks());
        return object;
    }

    private static Map<String, Object> object(Sample sample) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("p50_ns", sample.median());
        object.put("p90_ns", sample.p90());
        object.put("count", sample.size());
        return object;
    }

    private static String factor(double factor) {
        return String.format(Locale.ROOT, "%.2f", factor);
    }

    /// Returns a duration with three digits and a suitable unit.
    static String time(long nanos) {
        double value = nanos;
        for (String unit : List.of("ns", "µs", "ms")) {
            if (value < 999.5) {
                return digits(value) + " " + unit;
            }
            value /= 1000;
        }
        return digits(value) + " s";
    }

    private static String digits(double value) {
        return String.format(Locale.ROOT, value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value);
    }

    /// Returns whether no outcome has failed.
    boolean ok() {
        return outcomes.stream().noneMatch(Outcome::failed);
    }

    static String names(List<Row> rows) {
        return rows.stream().map(Row::name).collect(Collectors.joining(", "));
    }
}
