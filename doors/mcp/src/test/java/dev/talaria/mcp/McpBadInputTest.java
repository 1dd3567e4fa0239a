package dev.talaria.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class McpBadInputTest {
    @TempDir
    private static Path folder;

    private static Engine engine;

    @BeforeAll
    static void build() {
        Settings settings = Settings.defaults(Folders.below(folder)).withTools(List.of("count"));
        Map<String, Object> schema = Map.of("type", "object", "properties", Map.of("text", Map.of("type", "string")));
        engine = Engine.builder()
                .settings(settings)
                .tool(
                        "count",
                        "Counts characters.",
                        schema,
                        given -> String.valueOf(given.get("text")).length())
                .build();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "nonsense", "{\"jsonrpc\":\"2.0\",}", "{\"a\":1} {\"b\":2}", "\u0000", "[", "\"open"})
    void aLineThatIsNotJsonIsAnsweredAndForgotten(String line) throws Exception {
        try (Conversation client = Conversation.greeted(engine)) {
            client.raw(line);

            assertThat(client.error(Optional.empty())).containsEntry("code", -32700);
            assertAlive(client);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "7",
                "null",
                "{}",
                "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":123456789012345678901234567890,\"method\":\"ping\"}"
            })
    void whatIsNoMessageIsRefusedWithoutAnId(String line) throws Exception {
        try (Conversation client = Conversation.greeted(engine)) {
            client.raw(line);

            assertThat(client.error(Optional.empty())).containsEntry("code", -32600);
            assertAlive(client);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"jsonrpc\":\"1.0\",\"id\":9,\"method\":\"ping\"} | -32600",
                "{\"id\":9,\"method\":\"ping\"} | -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":9} | -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":7} | -32600",
                "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/list\",\"params\":[]} | -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\"} | -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{\"name\":7}} | -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{\"name\":\"count\",\"arguments\":[]}} | -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{\"name\":\"count\",\"_meta\":7}} | -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"initialize\",\"params\":{\"capabilities\":[]}} | -32602",
                "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"server/discover\",\"params\":{}} | -32601",
                "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"resources/list\"} | -32601",
            })
    void aBadRequestIsRefusedUnderItsId(String line, int code) throws Exception {
        try (Conversation client = Conversation.greeted(engine)) {
            client.raw(line);

            assertThat(client.error(Optional.of(9))).containsEntry("code", code);
            assertAlive(client);
        }
    }

    @Test
    void blankLinesAnswersAndUnknownNotificationsAreSteppedOver() throws Exception {
        try (Conversation client = Conversation.greeted(engine)) {
            client.raw("");
            client.raw("  \t \r");
            client.raw("{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":{}}");
            client.say("notifications/roots/list_changed", Map.of());
            client.say("notifications/whatever", Map.of());

            assertAlive(client);
        }
    }

    @Test
    void aMessageThatIsTooLongIsRefusedUnderItsIdAndTheNextOneIsRead() throws Exception {
        String text = "x".repeat(20 << 20);
        try (Conversation client = Conversation.greeted(engine)) {
            client.raw("{\"method\":\"tools/call\",\"params\":{\"name\":\"count\",\"arguments\":{\"id\":1,\"text\":\""
                    + text + "\"}},\"jsonrpc\":\"2.0\",\"id\":\"big\"}");
            Map<String, Object> idLast = client.error(Optional.of("big"));
            client.raw("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"" + text + "\"}");
            Map<String, Object> idFirst = client.error(Optional.of(5));
            client.raw("{\"jsonrpc\":\"2.0\",\"id\":\"" + text + "\",\"method\":\"ping\"}");
            client.error(Optional.empty());
            client.raw(text);
            Map<String, Object> noJson = client.error(Optional.empty());

            assertThat(idLast).containsEntry("code", -32600);
            assertThat(idLast.get("message")).asString().contains("longer than 16777216 bytes");
            assertThat(idFirst).containsEntry("code", -32600);
            assertThat(noJson).containsEntry("code", -32600);
            assertAlive(client);
        }
    }

    @Test
    void aLargeArgumentArrivesWhole() throws Exception {
        try (Conversation client = Conversation.greeted(engine)) {
            client.call(1, "count", Map.of("text", "ä".repeat(5 << 20)));

            assertThat(Conversation.structured(client.result(1))).containsEntry("result", 5 << 20);
        }
    }

    @Test
    void beforeInitializeThereIsOnlyPing() throws Exception {
        try (Conversation client = Conversation.silent(engine)) {
            client.say("notifications/initialized", Map.of());
            client.say("notifications/cancelled", Map.of("requestId", 1));
            client.ask(1, "ping", Map.of());
            Map<String, Object> ping = client.result(1);
            client.ask(2, "tools/list", Map.of());
            Map<String, Object> list = client.error(Optional.of(2));
            client.call(3, "count", Map.of());
            Map<String, Object> call = client.error(Optional.of(3));
            client.ask(4, "server/discover", Map.of());
            Map<String, Object> probe = client.error(Optional.of(4));

            assertThat(ping).isEmpty();
            assertThat(list).containsEntry("code", -32600);
            assertThat(call).containsEntry("code", -32600);
            assertThat(probe).containsEntry("code", -32601);
            client.initialize("2025-11-25");
            assertAlive(client);
        }
    }

    @Test
    void aClientThatForgetsToSayInitializedIsServed() throws Exception {
        try (Conversation client = Conversation.silent(engine)) {
            client.initialize("2024-11-05");

            client.call(1, "count", Map.of("text", "served"));

            assertThat(Conversation.structured(client.result(1))).containsEntry("result", 6);
        }
    }

    @Test
    void theLastLineNeedsNoNewline() throws Exception {
        assertThat(read("{\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n{\"jsonrpc\":\"2.0\",\"method\":\"b\"}", 100))
                .containsExactly(new Inbound.Notification("a", Map.of()), new Inbound.Notification("b", Map.of()));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 64, 1 << 20})
    void linesAreFoundHoweverTheBytesArrive(int step) throws Exception {
        String message = "{\"jsonrpc\":\"2.0\",\"method\":\"ab\"}";
        String lines =
                message + "\n\n" + "y".repeat(200_000) + "\n" + message + "\r\n" + "z".repeat(40) + "\n" + message;

        List<Inbound> read = read(new Trickle(lines, step), message.length() + 1);

        assertThat(read).hasSize(6);
        assertThat(read.stream().filter(Inbound.Notification.class::isInstance)).hasSize(3);
        assertThat(read.stream().filter(Inbound.Invalid.class::isInstance)).hasSize(2);
    }

    private static List<Inbound> read(String text, int longest) throws IOException {
        return read(new ByteArrayInputStream(text.getBytes(UTF_8)), longest);
    }

    private static List<Inbound> read(InputStream in, int longest) throws IOException {
        Inbox inbox = new Inbox(in, longest);
        List<Inbound> read = new ArrayList<>();
        for (Inbound next = inbox.next(); !(next instanceof Inbound.End); next = inbox.next()) {
            read.add(next);
        }
        return read;
    }

    /// Returns only a few bytes for each read.
    private static final class Trickle extends SequenceInputStream {
        private final int step;

        private Trickle(String text, int step) {
            super(new ByteArrayInputStream(text.getBytes(UTF_8)), InputStream.nullInputStream());
            this.step = step;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            return super.read(target, offset, Math.min(length, step));
        }
    }

    private static void assertAlive(Conversation client) throws IOException, InterruptedException {
        client.call("alive", "count", Map.of("text", "abc"));
        assertThat(Conversation.structured(client.result("alive"))).containsEntry("result", 3);
    }
}
