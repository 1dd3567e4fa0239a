package dev.talaria.bench;

import dev.talaria.engine.json.Json;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/// Measures the same run over MCP: with a real `./talaria mcp` child, and raw JSON-RPC lines on its
/// stdin and stdout.
final class HelloMcp implements Row {
    private static final Map<String, Object> HELLO =
            Map.of("name", "execute_code", "arguments", Map.of("code", Scripts.HELLO));

    @Override
    public String name() {
        return "hello-mcp";
    }

    @Override
    public String what() {
        return "the same through ./talaria mcp over stdio; floor: fork of a warm Python; plain: python3 script.py";
    }

    @Override
    public double bound() {
        return 3;
    }

    @Override
    public Measurement measure(BenchContext context) throws Exception {
        try (ForkFloor floor = new ForkFloor(context);
                Client client = new Client(context)) {
            List<Sample> samples =
                    Pairs.alternate(context.warmUp(), context.pairs(), floor, Pairs.timed(() -> hello(client)));
            return Measurement.of(samples.get(0), samples.get(1))
                    .withPlain(Pairs.measure(1, context.rounds(20), ForkFloor.cold(context)));
        }
    }

    private static void hello(Client client) throws IOException {
        Map<String, Object> answer = client.ask("tools/call", HELLO);
        String text = String.valueOf(answer.get("result"));
        if (!text.contains("success") || !text.contains("hi")) {
            throw new IOException("The server answered " + answer);
        }
    }

    /// A minimal MCP client: nothing here may cost much.
    private static final class Client implements AutoCloseable {
        private final Child server;
        private int last;

        Client(BenchContext context) throws IOException {
            server = new Child(List.of(context.launcher().toString(), "mcp"), context);
            ask(
                    "initialize",
                    Map.of(
                            "protocolVersion", "2025-06-18",
                            "capabilities", Map.of(),
                            "clientInfo", Map.of("name", "talaria-bench", "version", "1")));
            server.tell(Json.text(Map.of("jsonrpc", "2.0", "method", "notifications/initialized")));
        }

        /// Returns the answer to this request. Reads and drops notifications that come before it.
        Map<String, Object> ask(String method, Map<String, Object> params) throws IOException {
            int id = ++last;
            server.tell(Json.text(Map.of("jsonrpc", "2.0", "id", id, "method", method, "params", params)));
            while (true) {
                Map<String, Object> message = Json.object(server.listen());
                if (message.get("id") instanceof Number number && number.intValue() == id) {
                    return message;
                }
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
