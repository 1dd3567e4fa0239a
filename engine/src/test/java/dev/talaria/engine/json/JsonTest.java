package dev.talaria.engine.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class JsonTest {
    @Test
    void valuesComeBackAsTheyWere() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("text", "a\"\\\n\u0007é\uD83D\uDE00");
        value.put("small", 1);
        value.put("large", 1L << 40);
        value.put("huge", BigInteger.TEN.pow(40));
        value.put("real", 0.1);
        value.put("yes", true);
        value.put("nothing", null);
        value.put("list", Arrays.asList(1, null, List.of(), Map.of("k", "v")));

        assertThat(Json.object(Json.bytes(value))).isEqualTo(value);
        assertThat(Json.object(Json.text(value))).isEqualTo(value);
        assertThat(Json.object(Json.pretty(value))).isEqualTo(value);
        assertThat(Json.object(Json.text(value)).keySet()).containsExactlyElementsOf(value.keySet());
    }

    @Test
    void itWritesWhatJacksonsBindingWrites() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("é\u2028", List.of(1.5f, (short) 2, (byte) 3, new BigDecimal("1.50"), Double.NaN));
        value.put("inner", Map.of("a", Optional.of("b")));
        value.put("array", new Object[] {1, "two"});
        JsonMapper mapper = JsonMapper.builder().build();

        assertThat(Json.text(value)).isEqualTo(mapper.writeValueAsString(value));
        assertThat(new String(Json.bytes(value), StandardCharsets.UTF_8)).isEqualTo(mapper.writeValueAsString(value));
        assertThat(Json.pretty(value))
                .isEqualTo(mapper.writerWithDefaultPrettyPrinter().writeValueAsString(value));
    }

    @Test
    void whatJsonHasNoWordForIsItsText() {
        assertThat(Json.text(List.of(new AtomicInteger(7), Thread.State.NEW, Path.of("x"))))
                .isEqualTo("[\"7\",\"NEW\",\"x\"]");
    }

    @Test
    void sortedIsTheSameForEqualValues() {
        Map<String, Object> one = new LinkedHashMap<>(Map.of("b", 1));
        one.put("a", Map.of("y", 1, "x", 2));

        assertThat(new String(Json.sorted(one), StandardCharsets.UTF_8)).isEqualTo("{\"a\":{\"x\":2,\"y\":1},\"b\":1}");
    }

    @Test
    void aLineEndsWithALineFeedAndHasNoOther() {
        assertThat(new String(Json.line(Map.of("a", "x\ny")), StandardCharsets.UTF_8))
                .isEqualTo("{\"a\":\"x\\ny\"}\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[1]",
                "1",
                "null",
                "{} {}",
                "{} x",
                "{\"a\":}",
                "{'a':1}",
                "{\"a\":1,}",
                "{\"a\":NaN}",
                "{\"a\":01}",
                "{\"a\":\"\n\"}",
                "{\"a\"}",
                "nul"
            })
    void anythingButOneObjectIsRefused(String text) {
        assertThatThrownBy(() -> Json.object(text)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Json.object(text.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsTooDeepIsRefused() {
        assertThatThrownBy(() -> Json.object("{\"a\":".repeat(100_000))).isInstanceOf(IllegalArgumentException.class);
    }
}
