package dev.talaria.tests.job;

import dev.talaria.engine.json.Json;
import dev.talaria.engine.toolcalls.ConnectionAcceptor;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/// Answers every request with its own content: tool, arguments and token.
public final class Echo implements ConnectionAcceptor {
    private final List<Map<String, Object>> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final UnaryOperator<Map<String, Object>> answers;

    public Echo() {
        this(request -> Map.of(
                "tool", String.valueOf(request.get("tool")),
                "args", request.getOrDefault("args", Map.of()),
                "token", String.valueOf(request.get("token"))));
    }

    /// Answers with `answers`, which may take time: each request has its own thread.
    public Echo(UnaryOperator<Map<String, Object>> answers) {
        this.answers = answers;
    }

    public List<Map<String, Object>> requests() {
        return requests;
    }

    public int connections() {
        return connections.get();
    }

    @Override
    public Receiver connected(Peer peer) {
        connections.incrementAndGet();
        return new Receiver() {
            private final ByteArrayOutputStream line = new ByteArrayOutputStream();

            @Override
            public void received(ByteBuffer data) {
                while (data.hasRemaining()) {
                    byte next = data.get();
                    if (next == '\n') {
                        Map<String, Object> request = Json.object(line.toByteArray());
                        line.reset();
                        requests.add(request);
                        Thread.ofVirtual().start(() -> answer(peer, request));
                    } else {
                        line.write(next);
                    }
                }
            }

            @Override
            public void closed() {}
        };
    }

    private void answer(Peer peer, Map<String, Object> request) {
        Map<String, Object> answer = Map.of("id", request.get("id"), "result", answers.apply(request));
        peer.send(ByteBuffer.wrap((Json.text(answer) + "\n").getBytes(StandardCharsets.UTF_8)));
    }
}
