package dev.talaria.engine.toolcalls.stub;

import dev.talaria.engine.toolcalls.stub.RpcServer.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A real Python whose tool calls go to a socket of the test's.
abstract class SocketPython {
    static final String TOKEN = "s3cret-Token_é";

    @TempDir
    Path folder;

    Path socket;
    PythonProgram python;

    @BeforeEach
    void generate() throws IOException {
        socket = folder.resolve("rpc.sock");
        python = new PythonProgram(
                        Files.createDirectory(folder.resolve("program")), SevenTools.ALL, StubTransport.SOCKET)
                .with("HERMES_RPC_SOCKET", socket)
                .with("HERMES_RPC_TOKEN", TOKEN);
    }

    /// Returns what a script prints whose requests this handler answers.
    String run(Consumer<Request> handler, String script) throws Exception {
        try (var _ = RpcServer.unix(socket, handler)) {
            return python.run(script);
        }
    }
}
