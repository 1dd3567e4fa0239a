package dev.talaria.engine.toolcalls.stub;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import tools.jackson.databind.json.JsonMapper;

/// The agent's end of the socket: hands every request to the test, which answers when and in which order it likes.
final class RpcServer implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final ServerSocketChannel listener;
    private final Consumer<Request> handler;
    private final AtomicInteger connections = new AtomicInteger();
    private final Queue<SocketChannel> open = new ConcurrentLinkedQueue<>();

    private RpcServer(ServerSocketChannel listener, Consumer<Request> handler) {
        this.listener = listener;
        this.handler = handler;
        Thread.ofVirtual().start(this::accept);
    }

    static RpcServer unix(Path socket, Consumer<Request> handler) throws IOException {
        var listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(UnixDomainSocketAddress.of(socket), 200);
        return new RpcServer(listener, handler);
    }

    static RpcServer loopback(Consumer<Request> handler) throws IOException {
        var listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return new RpcServer(listener, handler);
    }

    /// Answers each request at once with its arguments.
    static void echo(Request request) {
        request.answer(request.arguments());
    }

    /// Returns a handler that waits for `size` requests and then answers them with their arguments, in random order.
    static Consumer<Request> shuffledBatches(int size) {
        var batch = new ArrayList<Request>();
        return request -> {
            synchronized (batch) {
                batch.add(request);
                if (batch.size() == size) {
                    Collections.shuffle(batch);
                    batch.forEach(RpcServer::echo);
                    batch.clear();
                }
            }
        };
    }

    int port() throws IOException {
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    /// Returns how many connections were made so far.
    int connections() {
        return connections.get();
    }

    private void accept() {
        try {
            while (true) {
                var channel = listener.accept();
                connections.incrementAndGet();
                open.add(channel);
                Thread.ofVirtual().start(() -> serve(channel));
            }
        } catch (IOException _) {
            // closed
        }
    }

    private void serve(SocketChannel channel) {
        try (channel;
                var lines = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8))) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                handler.accept(new Request(line, read(line), channel));
            }
        } catch (IOException _) {
            // the client left
        }
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> read(String json) {
        return JSON.readValue(json, LinkedHashMap.class);
    }

    /// Stops listening and cuts every connection.
    @Override
    public void close() throws IOException {
        listener.close();
        for (var channel : open) {
            channel.close();
        }
    }

    /// One line that a script sent.
    record Request(String line, Map<String, Object> message, SocketChannel channel) {

        Object argument(String name) {
            return arguments().get(name);
        }

        @SuppressWarnings("unchecked")
        Map<String, Object> arguments() {
            return (Map<String, Object>) message.get("args");
        }

        void answer(Object result) {
            send(JSON.writeValueAsString(Map.of("id", message.get("id"), "result", result)));
        }

        void send(String text) {
            var bytes = ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8));
            synchronized (channel) {
                try {
                    while (bytes.hasRemaining()) {
                        channel.write(bytes);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        void disconnect() {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static List<String> keys(Request request) {
        return List.copyOf(request.message().keySet());
    }
}
