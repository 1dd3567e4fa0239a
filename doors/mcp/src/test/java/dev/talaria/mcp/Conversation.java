package dev.talaria.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.talaria.engine.Engine;
import dev.talaria.engine.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// A client that speaks raw JSON-RPC over two pipes of the operating system with a door served in this process.
final class Conversation implements AutoCloseable {
    private static final int PIPE = 64 << 10;
    private static final Duration PATIENCE = Duration.ofSeconds(100);

    private final OutputStream toDoor;
    private final Thread door;
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<Map<String, Object>> seen = new ArrayList<>();

    private Conversation(Engine engine) throws IOException {
        Pipe there = Pipe.open();
        Pipe back = Pipe.open();
        toDoor = Channels.newOutputStream(there.sink());
        door = Thread.ofPlatform().daemon().name("door").start(() -> {
            try (var in = Channels.newInputStream(there.source());
                    var out = Channels.newOutputStream(back.sink())) {
                McpDoor.serve(engine, in, out);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        Thread.ofPlatform().daemon().name("client").start(() -> {
            try (var reader =
                    new BufferedReader(new InputStreamReader(Channels.newInputStream(back.source()), UTF_8))) {
                reader.lines().forEach(lines::add);
            } catch (IOException | UncheckedIOException e) {
                lines.add(e.toString());
            }
        });
    }

    /// Returns a conversation without any message.
    static Conversation silent(Engine engine) throws IOException {
        return new Conversation(engine);
    }

    /// Returns a conversation after the greetings.
    static Conversation greeted(Engine engine) throws IOException, InterruptedException {
        Conversation conversation = silent(engine);
        conversation.initialize("2025-11-25");
        conversation.say("notifications/initialized", Map.of());
        return conversation;
    }

    /// Returns a conversation with a client that can ask its person.
    static Conversation withElicitation(Engine engine) throws IOException, InterruptedException {
        Conversation conversation = silent(engine);
        conversation.initialize("2025-11-25", Map.of("elicitation", Map.of()));
        conversation.say("notifications/initialized", Map.of());
        return conversation;
    }

    Map<String, Object> initialize(String version) throws IOException, InterruptedException {
        return initialize(version, Map.of());
    }

    private Map<String, Object> initialize(String version, Map<String, Object> capabilities)
            throws IOException, InterruptedException {
        ask(
                "hello",
                "initialize",
                Map.of(
                        "protocolVersion", version,
                        "capabilities", capabilities,
                        "clientInfo", Map.of("name", "test", "version", "1")));
        return result("hello");
    }

    /// Sends one line unchanged.
    void raw(String line) throws IOException {
        byte[] bytes = (line + "\n").getBytes(UTF_8);
        for (int start = 0; start < bytes.length; start += PIPE) { // a channel copies all it is given at each write
            toDoor.write(bytes, start, Math.min(PIPE, bytes.length - start));
        }
        toDoor.flush();
    }

    void say(String method, Map<String, Object> params) throws IOException {
        raw(Json.text(Map.of("jsonrpc", "2.0", "method", method, "params", params)));
    }

    void ask(Object id, String method, Map<String, Object> params) throws IOException {
        raw(Json.text(Map.of("jsonrpc", "2.0", "id", id, "method", method, "params", params)));
    }

    void call(Object id, String tool, Map<String, Object> arguments) throws IOException {
        ask(id, "tools/call", Map.of("name", tool, "arguments", arguments));
    }

    void callWithProgress(Object id, Object token, String tool, Map<String, Object> arguments) throws IOException {
        Map<String, Object> params = new HashMap<>();
        params.put("name", tool);
        params.put("arguments", arguments);
        params.put("_meta", Map.of("progressToken", token));
        ask(id, "tools/call", params);
    }

    /// Returns the next message from the door.
    Map<String, Object> next() throws InterruptedException {
        String line = lines.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (line == null) {
            throw new AssertionError("The door said nothing more; before: " + seen);
        }
        Map<String, Object> message = Json.object(line);
        seen.add(message);
        return message;
    }

    /// Returns the next request of the door, and skips notifications.
    Map<String, Object> request(String method) throws InterruptedException {
        while (true) {
            Map<String, Object> message = next();
            if (message.containsKey("id")) {
                if (!method.equals(message.get("method"))) {
                    throw new AssertionError("No " + method + ": " + message);
                }
                return message;
            }
        }
    }

    /// Answers a request of the door.
    void reply(Map<String, Object> request, Map<String, Object> result) throws IOException {
        raw(Json.text(Map.of("jsonrpc", "2.0", "id", request.get("id"), "result", result)));
    }

    /// Returns the next answer, and skips notifications.
    Map<String, Object> answer() throws InterruptedException {
        while (true) {
            Map<String, Object> message = next();
            if (!message.containsKey("method")) {
                return message;
            }
        }
    }

    /// Returns the result under this id, which must be the next answer.
    Map<String, Object> result(Object id) throws InterruptedException {
        Map<String, Object> answer = answer();
        if (!id.equals(answer.get("id")) || !answer.containsKey("result")) {
            throw new AssertionError("No result for " + id + ": " + answer);
        }
        return object(answer.get("result"));
    }

    /// Returns the error under this id, which must be the next answer; an absent id is null.
    Map<String, Object> error(Optional<Object> id) throws InterruptedException {
        Map<String, Object> answer = answer();
        if (!answer.containsKey("id")
                || !id.equals(Optional.ofNullable(answer.get("id")))
                || !answer.containsKey("error")) {
            throw new AssertionError("No error for " + id + ": " + answer);
        }
        return object(answer.get("error"));
    }

    /// Returns the structured part of a tool's result, for programs.
    static Map<String, Object> structured(Map<String, Object> result) {
        return object(result.get("structuredContent"));
    }

    /// Returns the text of a tool's result, for models.
    static String text(Map<String, Object> result) {
        List<?> content = (List<?>) result.get("content");
        return String.valueOf(object(content.getFirst()).get("text"));
    }

    static Map<String, Object> object(Object value) {
        return Json.object(Json.bytes(value));
    }

    List<Map<String, Object>> seen() {
        return List.copyOf(seen);
    }

    /// Closes the client's end. Returns whether the door has returned.
    boolean hangUp() throws IOException, InterruptedException {
        toDoor.close();
        return door.join(PATIENCE);
    }

    /// Returns the door's messages that nobody read, after the door has returned.
    List<String> unread() {
        return List.copyOf(lines);
    }

    @Override
    public void close() throws IOException {
        try {
            if (!hangUp()) {
                throw new AssertionError("The door did not come back after its client had gone.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
