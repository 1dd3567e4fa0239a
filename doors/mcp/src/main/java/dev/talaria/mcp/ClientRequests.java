package dev.talaria.mcp;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/// Our requests to the client, and their answers.
final class ClientRequests {
    private final Outbox outbox;
    private final AtomicLong next = new AtomicLong();
    private final Map<Object, CompletableFuture<Optional<Map<String, Object>>>> waiting = new ConcurrentHashMap<>();
    private volatile Map<String, Object> capabilities = Map.of(); // written by the reader's thread, read by calls

    ClientRequests(Outbox outbox) {
        this.outbox = outbox;
    }

    /// Notes the client's capabilities from its greeting.
    void greeted(Map<String, Object> initialize) {
        capabilities = Inbound.object(initialize.get("capabilities"));
    }

    boolean clientHas(String capability) {
        return capabilities.get(capability) instanceof Map<?, ?>;
    }

    /// Sends a request and returns the client's result; empty if the client answered with an error or has
    /// gone. If the thread is interrupted, it tells the client that the answer is no longer wanted.
    Optional<Map<String, Object>> ask(String method, Map<String, Object> params) throws InterruptedException {
        String id = "talaria-" + next.incrementAndGet();
        CompletableFuture<Optional<Map<String, Object>>> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        try {
            outbox.send(Map.of("jsonrpc", "2.0", "id", id, "method", method, "params", params));
            return answer.get();
        } catch (InterruptedException e) {
            outbox.send(
                    Map.of("jsonrpc", "2.0", "method", "notifications/cancelled", "params", Map.of("requestId", id)));
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            waiting.remove(id);
        }
    }

    /// Passes an answer to the thread that waits for it, or drops it if there is none.
    void answered(Inbound.Response response) {
        CompletableFuture<Optional<Map<String, Object>>> answer = waiting.get(response.id());
        if (answer != null) {
            answer.complete(response.result());
        }
    }

    /// Ends all waiting: the client has gone.
    void close() {
        waiting.values().forEach(answer -> answer.complete(Optional.empty()));
    }
}
