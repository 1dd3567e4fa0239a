package dev.talaria.engine.toolcalls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Caller;
import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.config.RpcSettings;
import dev.talaria.engine.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// However many connections one script makes, the scripts of other sandboxes get theirs.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SocketsTest {
    @TempDir
    private Path folder;

    private ToolCallServer server;
    private final List<SocketChannel> mine = new ArrayList<>();

    @BeforeEach
    void open() {
        server = new ToolCallServer(
                RpcSettings.defaults(), folder, (_, _, _) -> new ToolResult.Completed(Map.of("said", "hi")));
    }

    @AfterEach
    void close() throws IOException {
        for (SocketChannel channel : mine) {
            channel.close();
        }
        server.close();
    }

    private ToolCallServer.RunAccess run(String session) {
        ToolCall script = ToolCall.of(new Caller("test", session), "execute_code", Map.of());
        return server.open(script, Map.of("greet", Set.of()), 100_000, Deadline.never(), new Cancellation(), true);
    }

    private SocketChannel connect(ToolCallServer.RunAccess run) throws IOException {
        SocketChannel channel =
                SocketChannel.open(UnixDomainSocketAddress.of(run.socket().orElseThrow()));
        mine.add(channel);
        return channel;
    }

    private static String ask(SocketChannel channel, ToolCallServer.RunAccess run) throws IOException {
        byte[] request = Json.line(Map.of("token", run.token(), "tool", "greet", "args", Map.of()));
        channel.write(ByteBuffer.wrap(request));
        BufferedReader answers = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
        return String.valueOf(answers.readLine());
    }

    @Test
    void oneSessionWithTooManyConnectionsIsToldAndTheOthersAreServed() throws IOException {
        ToolCallServer.RunAccess greedy = run("greedy");
        for (int i = 0; i < 1000; i++) {
            assertThat(ask(connect(greedy), greedy)).contains("hi");
        }
        SocketChannel one = connect(greedy);
        assertThat(ask(one, greedy)).contains("Too many connections");
        assertThat(one.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        ToolCallServer.RunAccess modest = run("modest");
        assertThat(ask(connect(modest), modest)).contains("hi");
        mine.getFirst().close();
        assertThat(ask(mine.get(1), greedy)).contains("hi");
    }

    @Test
    void thoseThatSayNothingKeepNobodyOut() throws IOException {
        Connections connections = new Connections(3, 2);
        SocketChannel known = unconnected();
        assertThat(connections.add(known)).isTrue();
        assertThat(connections.claim(known, "modest")).isTrue();
        List<SocketChannel> silent = List.of(unconnected(), unconnected(), unconnected());
        for (SocketChannel one : silent) {
            assertThat(connections.add(one)).isTrue();
        }

        assertThat(known.isOpen()).isTrue();
        assertThat(silent.stream().map(SocketChannel::isOpen)).containsExactly(false, true, true);
        assertThat(connections.claim(silent.getFirst(), "modest")).isFalse();
        assertThat(connections.claim(silent.get(1), "modest")).isTrue();
        assertThat(connections.claim(silent.get(1), "modest")).isTrue();
        assertThat(connections.claim(silent.get(2), "modest")).isFalse();
        assertThat(connections.claim(silent.get(2), "other")).isTrue();
        assertThat(connections.add(unconnected())).as("all are known").isFalse();
        connections.remove(known);
        assertThat(connections.add(unconnected())).isTrue();
    }

    private SocketChannel unconnected() throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        mine.add(channel);
        return channel;
    }
}
