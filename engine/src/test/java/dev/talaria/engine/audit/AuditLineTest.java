package dev.talaria.engine.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.CallEvent;
import dev.talaria.api.Caller;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class AuditLineTest {
    static final Instant AT = Instant.parse("2026-01-02T03:04:05.678Z");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Test
    void aLineSaysWhoWhatWhereAndHow() {
        ToolCall parent = ToolCall.of(new Caller("mcp", "s1"), "execute_code", Map.of("code", "x"));
        ToolCall call = parent.nested("write_file", arguments("path", "a.txt", "content", "hello"));

        JsonNode line = line(call);

        assertThat(line.propertyNames())
                .containsExactly(
                        "time",
                        "call",
                        "parent",
                        "door",
                        "session",
                        "user",
                        "tool",
                        "arguments",
                        "sandbox",
                        "decision",
                        "ms",
                        "status",
                        "result");
        assertThat(line.get("time").asString()).isEqualTo("2026-01-02T03:04:05.678Z");
        assertThat(line.get("call").asString()).isEqualTo(call.id());
        assertThat(line.get("parent").asString()).isEqualTo(parent.id());
        assertThat(line.get("door").asString()).isEqualTo("mcp");
        assertThat(line.get("session").asString()).isEqualTo("s1");
        assertThat(line.get("user").asString()).isEqualTo(System.getProperty("user.name"));
        assertThat(line.get("tool").asString()).isEqualTo("write_file");
        assertThat(line.get("sandbox").asString()).isEqualTo("local");
        assertThat(line.get("decision").asString()).isEqualTo("allowed");
        assertThat(line.get("ms").asDouble()).isEqualTo(1.235);
        assertThat(line.get("status").asString()).isEqualTo("completed");
        assertThat(line.get("result").asString()).matches("[0-9a-f]{64}");
        assertThat(line.get("arguments").get("sizes").toString()).isEqualTo("{\"path\":5,\"content\":5}");
        assertThat(line.get("arguments").get("preview").asString()).isEqualTo("path=a.txt\ncontent=hello");
    }

    @Test
    void theHashOfArgumentsDoesNotDependOnTheirOrder() {
        List<String> hashes = Stream.of(
                        arguments("a", "1", "b", "2"), arguments("b", "2", "a", "1"), arguments("b", "2", "a", "3"))
                .map(arguments -> line(ToolCall.of("t", arguments)))
                .map(line -> line.get("arguments").get("sha256").asString())
                .toList();

        assertThat(hashes.get(0))
                .isEqualTo(hashes.get(1))
                .isNotEqualTo(hashes.get(2))
                .hasSize(64);
    }

    static Stream<Map.Entry<String, ToolResult>> everyStatus() {
        return Stream.of(
                Map.entry("completed", ToolResult.completed("a", 1)),
                Map.entry("failed", ToolResult.failed(ErrorCode.TOOL_FAILED, "no more")),
                Map.entry("denied", new ToolResult.Denied("no", Map.of())),
                Map.entry("awaiting_approval", new ToolResult.AwaitingApproval("q1", Map.of())),
                Map.entry("timed_out", new ToolResult.TimedOut(Duration.ofSeconds(1), Map.of())),
                Map.entry("cancelled", new ToolResult.Cancelled("user", Map.of())),
                Map.entry("backgrounded", new ToolResult.Backgrounded("p1", Map.of())));
    }

    @ParameterizedTest
    @MethodSource("everyStatus")
    void everyResultHasAWord(Map.Entry<String, ToolResult> status) {
        JsonNode line = JSON.readTree(text(ToolCall.of("t", Map.of()), status.getValue()));

        assertThat(line.get("status").asString()).isEqualTo(status.getKey());
        assertThat(line.has("error")).isEqualTo(status.getKey().equals("failed"));
    }

    @Test
    void secretsInArgumentsAndResultsStayOut() {
        ToolCall early = ToolCall.of("t", arguments("command", "login hunter2secret", "hunter2key", 1));
        ToolCall atTheEdge = ToolCall.of("t", arguments("command", "x".repeat(190) + " hunter2tail"));
        ToolCall large = ToolCall.of("t", arguments("command", "hunter2" + "y".repeat(50_000)));

        for (ToolCall call : List.of(early, atTheEdge, large)) {
            assertThat(text(call, ToolResult.completed("output", "hunter2")))
                    .doesNotContain("hunter")
                    .doesNotContain("secret");
        }
        assertThat(line(early).get("arguments").get("preview").asString()).isEqualTo("command=login ***\n***");
    }

    @Test
    void linesStayShortHoweverLargeACallIs() {
        Map<String, Object> many = new HashMap<>();
        for (int i = 0; i < 1000; i++) {
            many.put("name".repeat(100) + i, "\u0000\uD83D\uDE00".repeat(1000));
        }
        Caller caller = new Caller("d".repeat(5000), "s".repeat(5000));

        assertThat(text(ToolCall.of(caller, "t".repeat(5000), many), ToolResult.completed("a", 1)))
                .hasSizeLessThan(16_000);
    }

    @Test
    void argumentsThatAreNoJsonAreNamedSo() {
        Map<String, Object> cycle = new HashMap<>();
        cycle.put("self", cycle);

        assertThat(line(ToolCall.of("t", Map.of("cycle", cycle)))
                        .get("arguments")
                        .has("unreadable"))
                .isTrue();
    }

    @Test
    void argumentsMayBeNull() {
        assertThat(line(ToolCall.of("t", arguments("nothing", null)))
                        .get("arguments")
                        .get("sizes")
                        .toString())
                .isEqualTo("{\"nothing\":0}");
    }

    static String clean(String text) {
        return text.replaceAll("hunter2\\S*", "***");
    }

    static CallEvent.Ended ended(ToolCall call, ToolResult result) {
        return new CallEvent.Ended(call, result, Duration.ofNanos(1_234_567), "allowed", Optional.of("local"), AT);
    }

    private static Map<String, Object> arguments(Object... namesAndValues) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            arguments.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return arguments;
    }

    private static String text(ToolCall call, ToolResult result) {
        String text = new String(
                AuditLine.of(ended(call, result), AuditLineTest::clean).bytes(), StandardCharsets.UTF_8);
        assertThat(text).endsWith("}\n").containsOnlyOnce("\n");
        return text;
    }

    private static JsonNode line(ToolCall call) {
        return JSON.readTree(text(call, ToolResult.completed("ok", true)));
    }
}
