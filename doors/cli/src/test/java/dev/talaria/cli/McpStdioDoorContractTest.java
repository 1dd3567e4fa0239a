package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.json.Json;
import dev.talaria.testkit.Door;
import dev.talaria.testkit.DoorContract;
import dev.talaria.testkit.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `talaria mcp` as a client starts it: one process with JSON-RPC in lines, and nothing else on stdout.
class McpStdioDoorContractTest extends DoorContract {
    @Override
    protected Door open(Path home, Path work) throws Exception {
        McpDoor door = new McpDoor(
                JavaCommand.in(home, work, JavaCommand.of(JavaCommand.classPath(), Main.class.getName(), "mcp"))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
        door.greet();
        return door;
    }

    @Test
    void oneRelayServesAClient(@TempDir Path home) throws Exception {
        McpDoor door = (McpDoor) open(home, home);
        try {
            door.start("execute_code", Map.of("code", "print(1)")).await();

            assertThat(door.process
                            .toHandle()
                            .children()
                            .map(child -> child.info().command().orElse("")))
                    .filteredOn(command -> command.contains("python"))
                    .hasSize(1);
        } finally {
            door.close();
        }
    }

    private static final class McpDoor implements Door {
        private final Process process;
        private final AtomicInteger ids = new AtomicInteger();
        private final Map<Integer, CompletableFuture<Map<String, Object>>> waiting = new ConcurrentHashMap<>();
        private final CompletableFuture<Void> ended;

        McpDoor(Process process) {
            this.process = process;
            this.ended =
                    CompletableFuture.runAsync(this::read, Thread.ofPlatform().daemon()::start);
        }

        private void read() {
            try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    Map<String, Object> message = Json.object(line); // a line that is not protocol fails here
                    assertThat(message).containsEntry("jsonrpc", "2.0");
                    if (message.get("id") instanceof Integer id && !message.containsKey("method")) {
                        CompletableFuture<Map<String, Object>> waits = waiting.remove(id);
                        assertThat(waits).as("answer to %s", line).isNotNull();
                        waits.complete(message);
                    }
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            } finally {
                waiting.values()
                        .forEach(waits -> waits.completeExceptionally(new IllegalStateException("stdout has ended")));
            }
        }

        void greet() throws Exception {
            Map<String, Object> hello = ask(
                            "initialize",
                            Map.of(
                                    "protocolVersion", "2025-06-18",
                                    "capabilities", Map.of(),
                                    "clientInfo", Map.of("name", "contract", "version", "1")))
                    .result()
                    .get(60, TimeUnit.SECONDS);
            assertThat(hello).containsKey("result");
            say(Map.of("jsonrpc", "2.0", "method", "notifications/initialized"));
        }

        private record Asked(int id, CompletableFuture<Map<String, Object>> result) {}

        private Asked ask(String method, Map<String, Object> params) throws IOException {
            int id = ids.incrementAndGet();
            Asked asked = new Asked(id, new CompletableFuture<>());
            waiting.put(id, asked.result());
            say(Map.of("jsonrpc", "2.0", "id", id, "method", method, "params", params));
            return asked;
        }

        private synchronized void say(Map<String, Object> message) throws IOException {
            OutputStream stdin = process.getOutputStream();
            stdin.write((Json.text(message) + "\n").getBytes(StandardCharsets.UTF_8));
            stdin.flush();
        }

        @Override
        public Started start(String tool, Map<String, Object> arguments) throws IOException {
            Asked asked = ask("tools/call", Map.of("name", tool, "arguments", arguments));
            return new Started() {
                private boolean cancelled;

                @Override
                public void cancel() throws IOException {
                    cancelled = true;
                    waiting.remove(asked.id());
                    say(Map.of(
                            "jsonrpc", "2.0",
                            "method", "notifications/cancelled",
                            "params", Map.of("requestId", asked.id(), "reason", "the user pressed stop")));
                }

                @Override
                public Optional<Answer> await() throws Exception {
                    return cancelled // a cancelled request gets no answer; an answer would fail in read()
                            ? Optional.empty()
                            : Optional.of(answer(asked.result().get(90, TimeUnit.SECONDS)));
                }
            };
        }

        private static Answer answer(Map<String, Object> message) {
            if (message.get("error") instanceof Map<?, ?> error) {
                return new Answer(Kind.FAILED, Map.of("error", String.valueOf(error.get("message"))));
            }
            Map<?, ?> result = (Map<?, ?>) message.get("result");
            Map<String, Object> value = new LinkedHashMap<>();
            ((Map<?, ?>) result.get("structuredContent")).forEach((key, part) -> value.put(String.valueOf(key), part));
            Map<?, ?> text = (Map<?, ?>) ((List<?>) result.get("content")).getFirst();
            assertThat(Json.object(String.valueOf(text.get("text")))).isEqualTo(value);
            Kind kind = Boolean.TRUE.equals(result.get("isError"))
                    ? Kind.FAILED
                    : "timeout".equals(value.get("status")) ? Kind.TIMED_OUT : Kind.COMPLETED;
            return new Answer(kind, value);
        }

        @Override
        public void close() throws Exception {
            process.getOutputStream().close();
            assertThat(process.waitFor(100, TimeUnit.SECONDS))
                    .as("the door ends with its input")
                    .isTrue();
            assertThat(process.exitValue()).isZero();
            ended.get(60, TimeUnit.SECONDS);
        }
    }
}
