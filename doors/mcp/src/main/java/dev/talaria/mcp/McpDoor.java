package dev.talaria.mcp;

import dev.talaria.api.Caller;
import dev.talaria.api.ToolSpec;
import dev.talaria.engine.Engine;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.AsyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/// Serves an engine's tools to an MCP client.
public final class McpDoor {
    private static final Logger LOG = LoggerFactory.getLogger(McpDoor.class);
    private static final int LONGEST_MESSAGE = 16 << 20;
    private static final Duration WARMING = Duration.ofSeconds(2);

    private static final String INSTRUCTIONS = """
            Use execute_code when a task takes three or more tool calls with logic between them, or when results are too \
            large to read: its Python script calls the tools itself, and only what it prints comes back. Call a tool \
            directly for a single step, or when you must read its whole result.""";

    private McpDoor() {}

    /// Serves one client until it closes `in`, then ends the running calls and returns. The engine stays open.
    ///
    /// `out` carries only the protocol: meanwhile the output of tools and libraries to `System.out` goes to
    /// `System.err`. Use a plain stream and not a `PrintStream`, which hides that the client no longer reads.
    public static void serve(Engine engine, InputStream in, OutputStream out) {
        PrintStream stdout = System.out;
        System.setOut(System.err);
        try {
            serve(engine, new Inbox(in, LONGEST_MESSAGE), new Outbox(out));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            System.setOut(stdout);
        }
    }

    private static void serve(Engine engine, Inbox inbox, Outbox outbox) throws InterruptedException {
        Caller caller = new Caller(
                "mcp",
                "mcp-" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt()));
        List<ToolSpec> tools = engine.tools();
        List<String> names = tools.stream().map(ToolSpec::name).toList();
        var json = new JacksonMcpJsonMapper(JsonMapper.shared());
        ClientRequests questions = new ClientRequests(outbox);
        StdioTransport transport = new StdioTransport(inbox, outbox, questions, json, names);
        ToolCalls calls = new ToolCalls(engine, caller, outbox);
        boolean scripts = names.contains(Engine.EXECUTE_CODE);
        var server = McpServer.async(transport)
                .serverInfo("talaria", version())
                .capabilities(
                        McpSchema.ServerCapabilities.builder().tools(false).build())
                .jsonMapper(json)
                .validateToolInputs(false) // the engine's messages are better
                .jsonSchemaValidator((_, _) -> JsonSchemaValidator.ValidationResponse.asValid(""))
                .tools(tools.stream().map(tool -> specification(tool, calls)).toList());
        if (scripts) {
            server.instructions(INSTRUCTIONS);
        }
        server.build();
        Thread warming = Thread.ofVirtual().name("mcp-warm").unstarted(() -> warm(engine, caller));
        if (scripts) {
            warming.start();
        }
        try (var _ = engine.ask(new Elicitation(questions, caller))) {
            transport.run();
        } finally {
            if (scripts) {
                warming.join(WARMING); // nothing may start in an engine that is being closed
            }
        }
    }

    private static AsyncToolSpecification specification(ToolSpec tool, ToolCalls calls) {
        return AsyncToolSpecification.builder()
                .tool(McpSchema.Tool.builder(tool.name(), tool.inputSchema())
                        .description(tool.description())
                        .build())
                .callHandler(calls::handle)
                .build();
    }

    /// Starts the interpreter before the first script. A failure here happens again, and is reported, when it is
    /// needed.
    private static void warm(Engine engine, Caller caller) {
        try {
            engine.warm(caller.session());
        } catch (RuntimeException e) {
            LOG.debug("Warming up", e);
        }
    }

    private static String version() {
        Properties properties = new Properties();
        try (InputStream in = McpDoor.class.getResourceAsStream("version.properties")) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version", "unknown");
    }
}
