package dev.talaria.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Gate;
import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.json.Json;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class McpDoorTest {
    private static final Map<String, Object> NO_PARAMETERS = Map.of("type", "object", "properties", Map.of());

    @TempDir
    private Path folder;

    @Test
    void introducesItselfAndSaysWhenToUseScripts() throws Exception {
        try (Engine engine = TestEngine.below(folder).build();
                Conversation client = Conversation.silent(engine)) {
            Map<String, Object> hello = client.initialize("2025-06-18");

            assertThat(hello).containsEntry("protocolVersion", "2025-06-18");
            assertThat(Conversation.object(hello.get("serverInfo")))
                    .containsEntry("name", "talaria")
                    .extractingByKey("version")
                    .asString()
                    .matches("\\d.*");
            assertThat(hello.get("instructions")).asString().contains("execute_code");
            assertThat(Conversation.object(hello.get("capabilities"))).containsKey("tools");
        }
    }

    @Test
    void offersTheNewestVersionItKnowsToAClientFromTheFuture() throws Exception {
        try (Engine engine = TestEngine.below(folder).build();
                Conversation client = Conversation.silent(engine)) {
            assertThat(client.initialize("2031-01-01")).containsEntry("protocolVersion", "2025-11-25");
        }
    }

    @Test
    void listsTheEnginesToolsWithTheirSchemas() throws Exception {
        try (Engine engine = TestEngine.below(folder)
                        .tool("greet", "Greets.", NO_PARAMETERS, _ -> "hello")
                        .build();
                Conversation client = Conversation.greeted(engine)) {
            client.ask(1, "tools/list", Map.of());

            List<?> tools = (List<?>) client.result(1).get("tools");
            Map<String, Map<String, Object>> byName = tools.stream()
                    .map(Conversation::object)
                    .collect(Collectors.toMap(tool -> String.valueOf(tool.get("name")), tool -> tool));
            assertThat(byName.keySet())
                    .containsExactlyInAnyOrder(
                            "execute_code", "terminal", "process", "read_file", "write_file", "greet");
            engine.tools()
                    .forEach(spec -> assertThat(byName.get(spec.name()))
                            .containsEntry("description", spec.description())
                            .containsEntry("inputSchema", Conversation.object(spec.inputSchema())));
        }
    }

    @Test
    void runsAScriptAndGivesItsResultAsTextAndAsAnObject() throws Exception {
        try (Engine engine = TestEngine.below(folder).build();
                Conversation client = Conversation.greeted(engine)) {
            client.call(1, "execute_code", Map.of("code", "print('hi ' + 'ä€😀')"));

            Map<String, Object> result = client.result(1);
            assertThat(result).containsEntry("isError", false);
            assertThat(Conversation.structured(result)).containsEntry("status", "success");
            assertThat(Conversation.structured(result).get("output")).asString().contains("hi ä€😀");
            assertThat(Json.object(Conversation.text(result))).isEqualTo(Conversation.structured(result));
        }
    }

    @Test
    void keepsFilesBetweenCalls() throws Exception {
        try (Engine engine = TestEngine.below(folder).build();
                Conversation client = Conversation.greeted(engine)) {
            String path = folder.resolve("note.txt").toString();

            client.call("w", "write_file", Map.of("path", path, "content", "remember"));
            client.result("w");
            client.call("t", "terminal", Map.of("command", "cat " + path));

            assertThat(Conversation.text(client.result("t"))).contains("remember");
            assertThat(Files.readString(Path.of(path))).isEqualTo("remember");
        }
    }

    @Test
    void aScriptThatFailedIsAResultToRead() throws Exception {
        try (Engine engine = TestEngine.below(folder).build();
                Conversation client = Conversation.greeted(engine)) {
            client.call(1, "execute_code", Map.of("code", "print('so far'); raise ValueError('no')"));

            Map<String, Object> result = client.result(1);
            assertThat(result).containsEntry("isError", false);
            assertThat(Conversation.structured(result)).containsEntry("status", "error");
            assertThat(Conversation.text(result)).contains("so far").contains("ValueError");
        }
    }

    @Test
    void aScriptThatRanOutOfTimeIsAResultToRead() throws Exception {
        try (Engine engine = TestEngine.below(folder).build();
                Conversation client = Conversation.greeted(engine)) {
            String code = "import time; print('so far', flush=True); time.sleep(600)";
            client.call(1, "execute_code", Map.of("code", "print(1)")); // opens the sandbox, which may take time
            assertThat(client.result(1)).containsEntry("isError", false);

            Map<String, Object> result = timedOut(client, code, 1);
            for (int seconds = 2; !Conversation.text(result).contains("so far") && seconds < 100; seconds *= 2) {
                result = timedOut(client, code, seconds); // the machine is busy
            }
            assertThat(result).containsEntry("isError", false);
            assertThat(Conversation.structured(result)).containsEntry("status", "timeout");
            assertThat(Conversation.text(result)).contains("so far");
        }
    }

    private static Map<String, Object> timedOut(Conversation client, String code, int seconds) throws Exception {
        client.call(1 + seconds, "execute_code", Map.of("code", code, "timeout", seconds));
        return client.result(1 + seconds);
    }

    @Test
    void badArgumentsGetTheEnginesOwnWords() throws Exception {
        try (Engine engine = TestEngine.below(folder).build();
                Conversation client = Conversation.greeted(engine)) {
            client.call(1, "execute_code", Map.of("command", "ls"));
            Map<String, Object> command = client.result(1);
            client.ask(2, "tools/call", Map.of("name", "execute_code"));
            Map<String, Object> nothing = client.result(2);
            client.call(3, "execute_code", Map.of("code", 7));
            Map<String, Object> number = client.result(3);

            assertThat(command).containsEntry("isError", true);
            assertThat(Conversation.text(command)).contains("takes Python in 'code', not a 'command'");
            assertThat(nothing).containsEntry("isError", true);
            assertThat(Conversation.text(nothing)).contains("No code provided");
            assertThat(number).containsEntry("isError", true);
            assertThat(Conversation.text(number)).contains("must be a string");
        }
    }

    @Test
    void aDeniedCallIsAnError() throws Exception {
        Gate gate = (context, _) -> context.call().tool().equals("terminal")
                ? new Gate.Decision.Refused("refused", "No terminal today.")
                : new Gate.Decision.Allowed("allowed");
        try (Engine engine = TestEngine.below(folder).gate(gate).build();
                Conversation client = Conversation.greeted(engine)) {
            client.call(1, "terminal", Map.of("command", "true"));

            Map<String, Object> result = client.result(1);
            assertThat(result).containsEntry("isError", true);
            assertThat(Conversation.text(result)).contains("No terminal today.");
        }
    }

    @Test
    void anUnknownToolIsAnErrorOfTheProtocolThatNamesTheOthers() throws Exception {
        try (Engine engine = TestEngine.below(folder).build();
                Conversation client = Conversation.greeted(engine)) {
            client.call(1, "sing", Map.of());

            assertThat(client.error(Optional.of(1)))
                    .containsEntry("code", -32602)
                    .extractingByKey("message")
                    .asString()
                    .contains("no tool 'sing'")
                    .contains("execute_code");
        }
    }

    @Test
    void whatToolsPrintNeverReachesTheProtocol() throws Exception {
        PrintStream before = System.out;
        try (Engine engine = TestEngine.below(folder)
                .tool("shout", "Prints to stdout.", NO_PARAMETERS, _ -> {
                    System.out.println("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"forged\"}");
                    System.out.flush();
                    return "done";
                })
                .build()) {
            try (Conversation client = Conversation.greeted(engine)) {
                client.call(1, "shout", Map.of());

                assertThat(Conversation.structured(client.result(1))).containsEntry("result", "done");
                assertThat(client.hangUp()).isTrue();
                assertThat(client.unread()).isEmpty();
            }
        }
        assertThat(System.out).isSameAs(before);
    }

    @Test
    void callsRunAtTheSameTimeAndAreAnsweredAsTheyEnd() throws Exception {
        CyclicBarrier meeting = new CyclicBarrier(20);
        try (Engine engine = TestEngine.below(folder)
                        .tool("meet", "Waits for the others.", NO_PARAMETERS, _ -> await(meeting))
                        .build();
                Conversation client = Conversation.greeted(engine)) {
            for (int id = 0; id < 19; id++) {
                client.call(id, "meet", Map.of());
            }
            client.call("quick", "execute_code", Map.of("code", "print('first')"));
            Map<String, Object> first = client.result("quick");
            client.call("last", "meet", Map.of());

            Set<Object> answered = new java.util.HashSet<>();
            for (int i = 0; i < 20; i++) {
                answered.add(client.answer().get("id"));
            }
            assertThat(Conversation.text(first)).contains("first");
            assertThat(answered).hasSize(20).contains("last", 0, 18);
        }
    }

    @Test
    void callsCarryTheDoorAndOneSessionPerClient() throws Exception {
        List<ToolCall> calls = new java.util.concurrent.CopyOnWriteArrayList<>();
        try (Engine engine = TestEngine.below(folder)
                .listener(event -> calls.add(event.call()))
                .tool("greet", "Greets.", NO_PARAMETERS, _ -> "hello")
                .build()) {
            for (int client = 0; client < 2; client++) {
                try (Conversation conversation = Conversation.greeted(engine)) {
                    conversation.call(1, "greet", Map.of());
                    conversation.result(1);
                    conversation.call(2, "greet", Map.of());
                    conversation.result(2);
                }
            }
        }

        assertThat(calls).allMatch(call -> call.caller().door().equals("mcp"));
        assertThat(calls.stream().map(call -> call.caller().session()).distinct())
                .hasSize(2);
    }

    private static String await(CyclicBarrier barrier) {
        try {
            barrier.await(60, TimeUnit.SECONDS);
            return "met";
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
