package dev.talaria.mcp;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/// Writes messages to the client, one per line and each at once.
final class Outbox {
    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

    private final OutputStream out;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean broken; // written under lock, read by the thread that reads messages

    Outbox(OutputStream out) {
        this.out = out;
    }

    /// Sends a message. If the client is gone, nothing happens: the end of its messages reports it.
    void send(Object message) {
        byte[] json = JsonMapper.shared().writeValueAsBytes(message); // the SDK's messages are its own objects
        byte[] line = Arrays.copyOf(json, json.length + 1);
        line[json.length] = '\n';
        lock.lock();
        try {
            if (!broken) {
                out.write(line);
                out.flush();
            }
        } catch (IOException e) {
            broken = true;
            LOG.debug("The client does not read any more", e);
        } finally {
            lock.unlock();
        }
    }

    void result(Object id, Map<String, Object> result) {
        send(Map.of("jsonrpc", "2.0", "id", id, "result", result));
    }

    /// Sends an error under the id of its request, or without an id if the request was unreadable.
    void error(Inbound.Invalid invalid) {
        Map<String, Object> response = new LinkedHashMap<>();
        response.put("jsonrpc", "2.0");
        response.put("id", invalid.id().orElse(null));
        response.put("error", Map.of("code", invalid.code(), "message", invalid.message()));
        send(response);
    }

    /// Returns whether the client no longer reads.
    boolean broken() {
        return broken;
    }
}
