package dev.talaria.mcp;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransport;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/// Carries one client's messages between its streams and the SDK.
///
/// The SDK's own transport ends at the first bad line, knows no cancellation and passes every message through three
/// threads. This one answers bad lines. It keeps the request id with each call, so that `notifications/cancelled`
/// finds the call, and runs each call in one virtual thread.
final class StdioTransport implements McpServerTransportProvider {
    private static final Logger LOG = LoggerFactory.getLogger(StdioTransport.class);
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Set<String> NEEDS_INITIALIZE =
            Set.of(McpSchema.METHOD_TOOLS_LIST, McpSchema.METHOD_TOOLS_CALL, McpSchema.METHOD_LOGGING_SET_LEVEL);

    private final Inbox inbox;
    private final Outbox outbox;
    private final ClientRequests questions;
    private final McpJsonMapper json;
    private final List<String> tools;
    private final RunningCalls calls = new RunningCalls();
    private @Nullable McpServerSession session; // set before the first message is read
    private boolean began; // reader's thread only
    private boolean settled; // reader's thread only

    StdioTransport(Inbox inbox, Outbox outbox, ClientRequests questions, McpJsonMapper json, List<String> tools) {
        this.inbox = inbox;
        this.outbox = outbox;
        this.questions = questions;
        this.json = json;
        this.tools = List.copyOf(tools);
    }

    @Override
    public void setSessionFactory(McpServerSession.Factory factory) {
        session = factory.create(new Writer());
    }

    /// Serves until the client closes its end. It then ends the running calls.
    void run() throws InterruptedException {
        try {
            while (!outbox.broken()) {
                switch (inbox.next()) {
                    case Inbound.Request request -> take(request);
                    case Inbound.Notification notification -> take(notification);
                    case Inbound.Invalid invalid -> outbox.error(invalid);
                    case Inbound.Response response -> questions.answered(response);
                    case Inbound.Ignored _ -> {}
                    case Inbound.End _ -> {
                        return;
                    }
                }
            }
        } catch (IOException e) {
            LOG.debug("The client's end broke", e);
        } finally {
            questions.close();
            calls.dropAll("the client closed the connection", PATIENCE);
        }
    }

    private void take(Inbound.Request request) {
        Object id = request.id();
        if (calls.has(id)) {
            refuse(
                    request,
                    ErrorCodes.INVALID_REQUEST,
                    "A call with the id " + id + " is still running. Give every request an id of its own.");
        } else if (request.method().equals(McpSchema.METHOD_PING)) {
            outbox.result(id, Map.of()); // allowed before initialize, which the SDK refuses
        } else if (request.method().equals(McpSchema.METHOD_INITIALIZE)) {
            began = true;
            questions.greeted(request.params());
            hand(request);
        } else if (!began && NEEDS_INITIALIZE.contains(request.method())) {
            refuse(request, ErrorCodes.INVALID_REQUEST, "Send initialize first.");
        } else {
            settle();
            if (request.method().equals(McpSchema.METHOD_TOOLS_CALL)) {
                call(request);
            } else {
                hand(request);
            }
        }
    }

    private void take(Inbound.Notification notification) {
        switch (notification.method()) {
            case McpSchema.METHOD_NOTIFICATION_INITIALIZED -> settle();
            case "notifications/cancelled" -> cancel(notification.params());
            default -> LOG.debug("Ignored: {}", notification.method());
        }
    }

    /// Tells the SDK that the client is ready. Some clients forget to say so and send their first request: the
    /// SDK alone would not answer it.
    private void settle() {
        if (began && !settled) {
            settled = true;
            session()
                    .handle(new McpSchema.JSONRPCNotification(McpSchema.METHOD_NOTIFICATION_INITIALIZED))
                    .block();
        }
    }

    private void cancel(Map<String, Object> params) {
        Object id = params.get("requestId");
        if (id != null) {
            Object reason = params.get("reason");
            calls.drop(id, reason instanceof String text && !text.isBlank() ? text : "the client cancelled the call");
        }
    }

    private void call(Inbound.Request request) {
        objection(request.params())
                .ifPresentOrElse(
                        problem -> refuse(request, ErrorCodes.INVALID_PARAMS, problem),
                        () -> calls.start(request.id(), running -> run(request, running)));
    }

    private Optional<String> objection(Map<String, Object> params) {
        if (!(params.get("name") instanceof String name)) {
            return Optional.of("\"name\" must be the name of a tool.");
        }
        if (!tools.contains(name)) {
            return Optional.of("There is no tool '" + name + "' here. There are " + String.join(", ", tools) + ".");
        }
        return Stream.of("arguments", "_meta")
                .filter(key -> params.get(key) != null && !(params.get(key) instanceof Map<?, ?>))
                .findFirst()
                .map(key -> "\"" + key + "\" must be an object.");
    }

    private void run(Inbound.Request request, RunningCall running) {
        var context = McpTransportContext.create(Map.of(ToolCalls.RUNNING, running));
        try {
            session()
                    .handle(new McpSchema.JSONRPCRequest(request.method(), request.id(), request.params()))
                    .contextWrite(reactor -> reactor.put(McpTransportContext.KEY, context))
                    .block();
        } catch (RuntimeException | Error e) {
            LOG.error("Request {} failed", request.id(), e);
            if (!running.dropped()) {
                refuse(request, ErrorCodes.INTERNAL_ERROR, "Internal error; the server's log says more.");
            }
        }
    }

    /// Handles a quick request in the reader's thread.
    private void hand(Inbound.Request request) {
        try {
            session()
                    .handle(new McpSchema.JSONRPCRequest(request.method(), request.id(), request.params()))
                    .block();
        } catch (RuntimeException e) {
            LOG.error("Request {} failed", request.id(), e);
            refuse(request, ErrorCodes.INTERNAL_ERROR, "Internal error; the server's log says more.");
        }
    }

    private void refuse(Inbound.Request request, int code, String message) {
        outbox.error(new Inbound.Invalid(Optional.of(request.id()), code, message));
    }

    private McpServerSession session() {
        if (session == null) {
            throw new IllegalStateException("The SDK has not made a session.");
        }
        return session;
    }

    @Override
    public Mono<Void> notifyClients(String method, Object params) {
        return session().sendNotification(method, params);
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.empty();
    }

    /// The SDK's output. It writes in the caller's thread.
    private final class Writer implements McpServerTransport {
        @Override
        public Mono<Void> sendMessage(McpSchema.JSONRPCMessage message) {
            return Mono.fromRunnable(() -> {
                boolean wanted = !(message instanceof McpSchema.JSONRPCResponse response)
                        || calls.release(response.id()).map(RunningCall::answer).orElse(true);
                if (wanted) {
                    outbox.send(message);
                }
            });
        }

        @Override
        public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
            try {
                return json.convertValue(data, type);
            } catch (IllegalArgumentException e) {
                LOG.debug("Bad params", e);
                throw McpError.builder(ErrorCodes.INVALID_PARAMS)
                        .message("The params do not have the form that the protocol asks for.")
                        .build();
            }
        }

        @Override
        public Mono<Void> closeGracefully() {
            return Mono.empty();
        }
    }
}
