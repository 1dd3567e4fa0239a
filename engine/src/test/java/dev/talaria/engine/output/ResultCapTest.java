package dev.talaria.engine.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class ResultCapTest {

    private static final JsonMapper JSON = new JsonMapper();

    private static int jsonLength(Object value) {
        return JSON.writeValueAsString(value).length();
    }

    @Test
    void whatFitsIsReturnedAsItIs() {
        Map<String, Object> value = Map.of("output", "x".repeat(90_000), "n", 1);

        assertThat(ResultCap.cap(value, 100_000)).isSameAs(value);
    }

    @Test
    void theLongestTextIsCutInTheMiddleAndTheRestStays() {
        var value = new LinkedHashMap<String, Object>();
        value.put("status", "success");
        value.put("output", "a".repeat(150_000) + "b".repeat(150_000));
        value.put("error", "short");

        Map<String, Object> capped = ResultCap.cap(value, 100_000);

        assertThat(capped).containsEntry("status", "success").containsEntry("error", "short");
        assertThat((String) capped.get("output"))
                .startsWith("aaaa")
                .endsWith("bbbb")
                .containsPattern(
                        "\n\n\\.\\.\\. \\[RESULT TRUNCATED - 20\\d,\\d{3} characters omitted out of 300,000 total] \\.\\.\\.\n\n");
        assertThat(jsonLength(capped)).isBetween(99_000, 100_000);
    }

    @Test
    void hugeListsAndObjectsAreBounded() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("matches", IntStream.range(0, 1_000_000).boxed().toList());
        Map<String, Object> names = new HashMap<>();
        IntStream.range(0, 100_000).forEach(i -> names.put("name" + i, "v"));
        value.put("names", names);
        value.put("last", "kept");

        Map<String, Object> capped = ResultCap.cap(value, 100_000);

        assertThat(jsonLength(capped)).isLessThanOrEqualTo(100_000);
        assertThat((String) ((List<?>) capped.get("matches")).getLast()).contains("more items omitted");
        assertThat(((Map<?, ?>) capped.get("names")).get("...").toString()).contains("more fields omitted");
        assertThat(capped).containsEntry("last", "kept");
    }

    @Test
    void escapesCountAsTheyAreWritten() {
        Map<String, Object> capped = ResultCap.cap(Map.of("output", "\n\"\u0001".repeat(30_000)), 100_000);

        assertThat(jsonLength(capped)).isLessThanOrEqualTo(100_000);
    }

    @Test
    void deepValuesAndCyclesEnd() {
        Map<String, Object> cycle = new HashMap<>();
        cycle.put("a", cycle);
        cycle.put("b", List.of(cycle, cycle));
        List<Object> deep = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            deep = new ArrayList<>(List.of(deep));
        }

        assertThat(jsonLength(ResultCap.cap(cycle, 100_000))).isLessThanOrEqualTo(100_000);
        assertThat(jsonLength(ResultCap.cap(Map.of("deep", deep), 100_000))).isLessThanOrEqualTo(100_000);
    }

    @Test
    void foreignObjectsAndNullsDoNotHurt() {
        Map<String, Object> value = new HashMap<>();
        value.put("null", null);
        value.put("text", "x".repeat(5000));
        value.put("bad", new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException("no");
            }
        });

        assertThat(ResultCap.cap(value, 1000)).containsKeys("null", "text", "bad");
    }

    @Test
    void emojiAreNotCutInHalf() {
        for (int shift = 0; shift < 2; shift++) {
            String text = (String) ResultCap.cap(Map.of("t", "x".repeat(shift) + "🙂".repeat(5000)), 2000)
                    .get("t");

            assertThat(text.codePoints()).noneMatch(c -> c >= 0xd800 && c <= 0xdfff);
        }
    }

    @Test
    void anyValueFits() {
        var random = new Random(17);
        for (int round = 0; round < 500; round++) {
            int most = 1000 + random.nextInt(5000);
            Map<String, Object> value =
                    Map.of("v", node(random, 5), "w".repeat(1 + random.nextInt(3000)), node(random, 4));

            assertThat(jsonLength(ResultCap.cap(value, most))).isLessThanOrEqualTo(most);
        }
    }

    private static Object node(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 5 : 3)) {
            case 0 -> "é\n".repeat(random.nextInt(random.nextBoolean() ? 10 : 3000));
            case 1 -> random.nextLong();
            case 2 -> random.nextBoolean();
            case 3 ->
                IntStream.range(0, random.nextInt(12))
                        .mapToObj(_ -> node(random, depth - 1))
                        .toList();
            default -> {
                var fields = new LinkedHashMap<String, Object>();
                IntStream.range(0, random.nextInt(12))
                        .forEach(i -> fields.put("k".repeat(random.nextInt(30)) + i, node(random, depth - 1)));
                yield fields;
            }
        };
    }
}
