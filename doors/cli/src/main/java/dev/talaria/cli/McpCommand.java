package dev.talaria.cli;

import dev.talaria.engine.Engine;
import dev.talaria.mcp.McpDoor;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.List;

/// `talaria mcp`: serves an MCP client over stdin and stdout.
final class McpCommand implements CliCommand {

    @Override
    public Syntax syntax() {
        return new Syntax(
                        "mcp",
                        "Serves the tools to an MCP client over stdin and stdout, until stdin ends.",
                        List.of(),
                        0,
                        List.of(),
                        List.of(
                                "{\"mcpServers\": {\"talaria\": {\"command\": \"/path/to/talaria\", \"args\": [\"mcp\"]}}}"))
                .with(EngineOptions.ALL);
    }

    @Override
    public int run(Arguments given, List<String> rest, Console console) {
        if (console.inIsTerminal()) {
            console.say("Waiting for an MCP client on stdin; this is for programs. Ctrl-D ends it.");
        }
        try (Engine engine = EngineOptions.open(given, console)) {
            // A client may kill this process when it is done. The running calls and their folders must end with it.
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(engine::close));
            McpDoor.serve(engine, console.in(), new FileOutputStream(FileDescriptor.out));
        }
        return ExitCode.SUCCESS.number();
    }
}
