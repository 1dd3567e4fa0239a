package dev.talaria.engine.gate.differential;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The constructions and leaves of the tables next to this class, those that this machine can run.
///
/// @param reaching the variants of each construction, by its id
/// @param stopping those that do not reach what they hold
record Grammar(
        Map<String, List<Construction>> reaching,
        Map<String, List<Construction>> stopping,
        Map<String, List<Sample.Leaf>> dangerous,
        Map<String, List<Sample.Leaf>> harmless) {

    static Grammar read(String home) {
        Map<String, List<Construction>> reaching = Stream.of("words", "shells", "values", "flow", "programs")
                .flatMap(table -> lines(table + ".txt"))
                .map(row -> Construction.of(row, false))
                .filter(Construction::available)
                .collect(grouping(Construction::id));
        Map<String, List<Construction>> stopping =
                lines("stops.txt").map(row -> Construction.of(row, true)).collect(grouping(Construction::id));
        List<Sample.Leaf> leaves = new ArrayList<>();
        boolean dangerous = true;
        for (String line : lines("leaves.txt").toList()) {
            if (line.startsWith("[")) {
                dangerous = line.equals("[dangerous]");
            } else {
                List<String> fields = List.of(line.split(" ", 3));
                Kind kind = Kind.of(fields.get(1).charAt(0));
                String text = fields.get(2).replace("@HOME/", home + "/");
                leaves.add(new Sample.Leaf(fields.getFirst(), Piece.leaf(kind, text), dangerous));
            }
        }
        return new Grammar(
                reaching,
                stopping,
                leaves.stream().filter(Sample.Leaf::dangerous).collect(grouping(Sample.Leaf::id)),
                leaves.stream().filter(leaf -> !leaf.dangerous()).collect(grouping(Sample.Leaf::id)));
    }

    private static <T> Collector<T, ?, Map<String, List<T>>> grouping(Function<T, String> id) {
        return Collectors.groupingBy(id, LinkedHashMap::new, Collectors.toList());
    }

    static Stream<String> lines(String resource) {
        return text(resource).lines().filter(line -> !line.isBlank() && !line.startsWith("#"));
    }

    static String text(String resource) {
        try (InputStream in = Grammar.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("The resource " + resource + " is missing.");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
