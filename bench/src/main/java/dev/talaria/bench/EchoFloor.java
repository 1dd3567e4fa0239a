package dev.talaria.bench;

import dev.talaria.engine.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Measures the lowest cost of a tool call: `bench/floors/echo.py` sends JSON lines to a bare thread
/// of this JVM, which parses each and sends it back.
final class EchoFloor implements AutoCloseable {
    private final Path socket;
    private final ServerSocketChannel server;
    private final Child client;

    EchoFloor(BenchContext context, Map<String, Object> request) throws IOException {
        socket = context.folder().resolve("echo");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
        // platform: the floor is the simplest possible server, and a blocking read holds its carrier
        Thread.ofPlatform().daemon().name("echo-floor").start(this::serve);
        client = new Child(
                List.of(
                        context.python().toString(),
                        context.floor("echo.py").toString(),
                        socket.toString(),
                        Json.text(request)),
                context);
    }

    private void serve() {
        try (SocketChannel channel = server.accept();
                BufferedReader in = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
                OutputStream out = Channels.newOutputStream(channel)) {
            String line = in.readLine();
            while (line != null) {
                out.write((Json.text(Json.object(line)) + "\n").getBytes(StandardCharsets.UTF_8));
                line = in.readLine();
            }
        } catch (IOException e) {
            // The client notices it, and reports it.
        }
    }

    /// Returns how long each of `count` round trips took, in nanoseconds.
    List<Long> roundTrips(int count) throws IOException {
        return Arrays.stream(client.ask(String.valueOf(count)).split(" "))
                .map(Long::valueOf)
                .toList();
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
        Files.deleteIfExists(socket);
    }
}
