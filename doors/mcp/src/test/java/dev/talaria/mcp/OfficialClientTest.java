package dev.talaria.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.talaria.engine.json.Json;
import dev.talaria.testkit.JavaCommand;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/// The client of the official SDK talks to a server process.
final class OfficialClientTest {
    @TempDir
    private Path folder;

    @Test
    void listsCallsAndHearsProgress() {
        List<ProgressNotification> heard = new CopyOnWriteArrayList<>();
        McpSyncClient client = McpClient.sync(transport())
                .requestTimeout(Duration.ofSeconds(60))
                .progressConsumer(heard::add)
                .build();
        try {
            var hello = client.initialize();
            List<String> tools =
                    client.listTools().tools().stream().map(Tool::name).toList();
            CallToolResult result = client.callTool(CallToolRequest.builder("execute_code")
                    .arguments(Map.of("code", "import time; print('seen', flush=True); time.sleep(1); print('done')"))
                    .meta(Map.of("progressToken", "p"))
                    .build());

            assertThat(hello.serverInfo().name()).isEqualTo("talaria");
            assertThat(tools).contains("execute_code", "terminal", "read_file", "write_file");
            assertThat(result.isError()).isFalse();
            assertThat(result.structuredContent())
                    .isEqualTo(Json.object(((TextContent) result.content().getFirst()).text()));
            assertThat(Json.text(result.structuredContent())).contains("done");
            assertThat(heard).anyMatch(notification -> notification.message().contains("seen"));
            assertThatThrownBy(() ->
                            client.callTool(CallToolRequest.builder("sing").build()))
                    .isInstanceOf(McpError.class)
                    .hasMessageContaining("sing");
            client.ping();
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
