package dev.talaria.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Answer;
import dev.talaria.engine.Engine;
import dev.talaria.engine.admin.PendingApprovals;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.json.Json;
import dev.talaria.testkit.JavaCommand;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/// The engine asks the person behind an MCP client, if the client supports it.
final class ElicitationTest {
    @TempDir
    private Path folder;

    private Path doomed;

    @BeforeEach
    void make() throws Exception {
        doomed = Files.createDirectory(folder.resolve("doomed"));
    }

    private Map<String, Object> dangerous() {
        return Map.of("command", "rm -rf " + doomed);
    }

    private static Map<String, Object> yes(String answer) {
        return Map.of("action", "accept", "content", Map.of("answer", answer));
    }

    @Test
    void aYesLetsTheCommandRun() throws Exception {
        try (Engine engine = TestEngine.below(folder).build();
                Conversation client = Conversation.withElicitation(engine)) {
            client.call(1, "terminal", dangerous());
            Map<String, Object> request = client.request("elicitation/create");
            Map<String, Object> params = Conversation.object(request.get("params"));

            assertThat(params.get("message"))
                    .asString()
                    .contains("recursive delete", "rm -rf " + doomed)
                    .containsSubsequence(
                            "once: this call alone",
                            "session: this very command in " + folder + ", until the session ends",
                            "always: this very command in " + folder + ", from now on",
                            "always-kind: every ",
                            "deny: no");
            assertThat(Json.text(params.get("requestedSchema")))
                    .contains("\"once\",\"session\",\"always\",", "\"session-kind\",\"always-kind\",\"deny\"]")
                    .contains("always: this very command in " + folder + ", from now on");
            assertThat(doomed).exists();
            client.reply(request, yes("once"));
            assertThat(Conversation.structured(client.result(1))).containsEntry("exit_code", 0);
            assertThat(doomed).doesNotExist();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"action\": \"accept\", \"content\": {\"answer\": \"deny\"}}",
                "{\"action\": \"accept\", \"content\": {\"answer\": \"perhaps\"}}",
                "{\"action\": \"accept\"}",
                "{\"action\": \"decline\"}",
                "{\"action\": \"cancel\", \"content\": {\"answer\": \"once\"}}",
                "{}"
            })
    void anythingElseIsANo(String result) throws Exception {
        try (Engine engine = TestEngine.below(folder).build();
                Conversation client = Conversation.withElicitation(engine)) {
            client.call(1, "terminal", dangerous());
            client.reply(client.request("elicitation/create"), Json.object(result));

            assertThat(client.result(1)).containsEntry("isError", true);
            assertThat(doomed).exists();
        }
    }

    @Test
    void anErrorIsANoAndSoIsGoingAway() throws Exception {
        try (Engine engine = TestEngine.below(folder).build()) {
            try (Conversation client = Conversation.withElicitation(engine)) {
                client.call(1, "terminal", dangerous());
                Object id = client.request("elicitation/create").get("id");
                client.raw(Json.text(
                        Map.of("jsonrpc", "2.0", "id", id, "error", Map.of("code", -32603, "message", "no window"))));
                assertThat(client.result(1)).containsEntry("isError", true);
                client.call(2, "terminal", dangerous());
                client.request("elicitation/create");
            }
            assertThat(doomed).exists();
        }
    }

    @Test
    void aClientThatCannotAskIsNotAsked() throws Exception {
        try (Engine engine = TestEngine.below(folder).build();
                Conversation client = Conversation.greeted(engine)) {
            client.call(1, "terminal", dangerous());

            assertThat(Conversation.text(client.result(1))).contains("nobody can be asked", "approvals.mode");
            assertThat(doomed).exists();
        }
    }

    @Test
    void whereTheClientCannotAskThePersonAnswersLater() throws Exception {
        try (Engine engine = TestEngine.below(folder).answeredLater().build();
                Conversation client = Conversation.greeted(engine)) {
            client.call(1, "terminal", dangerous());
            Map<String, Object> waiting = client.result(1);
            assertThat(waiting).containsEntry("isError", false);
            assertThat(Conversation.structured(waiting)).containsEntry("status", "approval_required");
            String id = String.valueOf(Conversation.structured(waiting).get("approval_id"));

            client.call(2, "terminal", dangerous());
            assertThat(Conversation.structured(client.result(2))).containsEntry("approval_id", id);
            assertThat(doomed).exists();
            assertThat(engine.approvals().answer(id, Answer.ONCE)).isInstanceOf(PendingApprovals.Reply.Accepted.class);
            client.call(3, "terminal", Map.of("command", "rm -rf " + folder + "/other"));
            assertThat(Conversation.structured(client.result(3))).containsEntry("status", "approval_required");
            client.call(4, "terminal", dangerous());
            assertThat(Conversation.structured(client.result(4)))
                    .containsEntry("exit_code", 0)
                    .containsKey("approval");
            assertThat(doomed).doesNotExist();
            client.call(5, "terminal", dangerous());
            assertThat(Conversation.structured(client.result(5)))
                    .containsEntry("status", "approval_required")
                    .doesNotContainEntry("approval_id", id);
        }
    }

    @Test
    void anAnswerForOneClientIsNoOthers() throws Exception {
        try (Engine engine = TestEngine.below(folder).answeredLater().build();
                Conversation first = Conversation.greeted(engine);
                Conversation second = Conversation.greeted(engine)) {
            first.call(1, "terminal", dangerous());
            Object id = Conversation.structured(first.result(1)).get("approval_id");
            engine.approvals().answer(String.valueOf(id), Answer.ONCE);
            second.call(1, "terminal", dangerous());
            assertThat(Conversation.structured(second.result(1))).containsEntry("status", "approval_required");
            assertThat(doomed).exists();
        }
    }

    @Test
    void anElicitationGrantsWhatItSaidAndNoMore() throws Exception {
        try (Engine engine = TestEngine.below(folder).build();
                Conversation client = Conversation.withElicitation(engine)) {
            client.call(1, "terminal", dangerous());
            client.reply(client.request("elicitation/create"), yes("always"));
            assertThat(client.result(1)).containsEntry("isError", false);
            client.call(2, "terminal", dangerous());
            assertThat(client.result(2)).containsEntry("isError", false);
            client.call(3, "terminal", Map.of("command", "rm -rf " + folder + "/other"));
            client.reply(client.request("elicitation/create"), yes("deny"));
            assertThat(client.result(3)).containsEntry("isError", true);
        }
    }

    @Test
    void anotherClientsPersonIsNotAsked() throws Exception {
        try (Engine engine = TestEngine.below(folder).build();
                Conversation able = Conversation.withElicitation(engine);
                Conversation unable = Conversation.greeted(engine)) {
            unable.call(1, "terminal", dangerous());

            assertThat(unable.result(1)).containsEntry("isError", true);
            assertThat(able.unread()).isEmpty();
        }
    }

    @Test
    void twoQuestionsAreBothAnswerableInAnyOrder() throws Exception {
        try (Engine engine = TestEngine.below(folder).build();
                Conversation client = Conversation.withElicitation(engine)) {
            client.call("a", "terminal", Map.of("command", "rm -rf " + doomed));
            Map<String, Object> first = client.request("elicitation/create");
            client.call("b", "terminal", Map.of("command", "git push -f nowhere"));
            Map<String, Object> second = client.request("elicitation/create");
            client.reply(second, yes("deny"));
            assertThat(client.result("b")).containsEntry("isError", true);
            client.reply(first, yes("once"));
            assertThat(client.result("a")).containsEntry("isError", false);
        }
    }

    @Test
    void aScriptsCallIsAskedAboutAndSessionCountsForTheNext() throws Exception {
        try (Engine engine = TestEngine.below(folder).build();
                Conversation client = Conversation.withElicitation(engine)) {
            client.call(1, "execute_code", Map.of("code", """
                    from hermes_tools import terminal
                    print([terminal("rm -rf %s").get("exit_code") for _ in range(3)])
                    """.formatted(doomed)));
            client.reply(client.request("elicitation/create"), yes("session"));

            assertThat(Conversation.structured(client.result(1))).containsEntry("output", "[0, 0, 0]\n");
        }
    }

    @Test
    void whenTimeIsOverTheClientIsTold() throws Exception {
        Settings settings = Settings.defaults(Folders.below(folder));
        try (Engine engine = TestEngine.below(folder)
                        .settings(settings.withApprovals(settings.approvals().withTimeout(Duration.ofSeconds(1))))
                        .build();
                Conversation client = Conversation.withElicitation(engine)) {
            client.call(1, "terminal", dangerous());
            Object id = client.request("elicitation/create").get("id");

            List<Map<String, Object>> rest = new ArrayList<>(List.of(client.next(), client.next()));
            assertThat(rest)
                    .anyMatch(message -> "notifications/cancelled".equals(message.get("method"))
                            && Conversation.object(message.get("params"))
                                    .get("requestId")
                                    .equals(id));
            assertThat(Json.text(rest)).contains("did not answer in time");
        }
    }

    @Test
    void theApproverOfTheProgramIsAskedWhereTheClientCannot() throws Exception {
        try (Engine engine = TestEngine.below(folder)
                        .approver(_ -> Optional.of(Answer.ONCE))
                        .build();
                Conversation client = Conversation.greeted(engine)) {
            client.call(1, "terminal", dangerous());

            assertThat(client.result(1)).containsEntry("isError", false);
        }
    }

    @Test
    void theOfficialClientAnswers() {
        List<String> asked = new CopyOnWriteArrayList<>();
        McpSyncClient client = McpClient.sync(transport())
                .requestTimeout(Duration.ofSeconds(60))
                .capabilities(
                        McpSchema.ClientCapabilities.builder().elicitation().build())
                .elicitation(request -> {
                    asked.add(request.message());
                    return new McpSchema.ElicitResult(McpSchema.ElicitResult.Action.ACCEPT, Map.of("answer", "once"));
                })
                .build();
        try {
            client.initialize();
            var result = client.callTool(McpSchema.CallToolRequest.builder("terminal")
                    .arguments(dangerous())
                    .build());

            assertThat(result.isError()).isFalse();
            assertThat(asked).singleElement().asString().contains("rm -rf " + doomed);
            assertThat(doomed).doesNotExist();
        } finally {
            client.closeGracefully();
        }
    }

    private StdioClientTransport transport() {
        List<String> command = JavaCommand.of(JavaCommand.classPath(), ServeMain.class.getName(), folder.toString());
        ServerParameters server = ServerParameters.builder(command.getFirst())
                .args(command.subList(1, command.size()))
                .build();
        return new StdioClientTransport(server, new JacksonMcpJsonMapper(JsonMapper.shared()));
    }
}
