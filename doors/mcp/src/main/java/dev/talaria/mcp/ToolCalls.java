package dev.talaria.mcp;

import dev.talaria.api.Caller;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.json.Json;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.publisher.Mono;

/// Passes tool calls from the SDK to the engine, and results back.
final class ToolCalls {
    /// The key under which the transport passes the {@link RunningCall}.
    static final String RUNNING = "talaria.running";

    private final Engine engine;
    private final Caller caller;
    private final Outbox outbox;
    private final AtomicBoolean unisolated = new AtomicBoolean(); // whether the operator was warned

    ToolCalls(Engine engine, Caller caller, Outbox outbox) {
        this.engine = engine;
        this.caller = caller;
        this.outbox = outbox;
    }

    /// Returns the call's result. The subscriber's thread computes it, which is a virtual thread of the
    /// transport.
    Mono<CallToolResult> handle(McpAsyncServerExchange exchange, CallToolRequest request) {
        return Mono.fromCallable(() -> {
            if (!(exchange.transportContext().get(RUNNING) instanceof RunningCall running)) {
                throw new IllegalStateException("A call came from another transport than ours.");
            }
            return call(running, request);
        });
    }

    private CallToolResult call(RunningCall running, CallToolRequest request) {
        Map<String, Object> arguments = request.arguments() == null ? Map.of() : request.arguments();
        ToolCall call = ToolCall.of(caller, request.name(), arguments);
        Optional<Object> token = progressToken(request);
        if (token.isEmpty()) {
            return finished(engine.call(call, running.cancellation()));
        }
        try (Progress progress = Progress.of(call, token.get(), running, outbox);
                var _ = engine.listen(progress)) {
            return finished(engine.call(call, running.cancellation()));
        }
    }

    private static Optional<Object> progressToken(CallToolRequest request) {
        Object token = request.meta() == null ? null : request.meta().get("progressToken");
        return Optional.ofNullable(token).filter(value -> value instanceof String || value instanceof Number);
    }

    private CallToolResult finished(ToolResult result) {
        if ("none".equals(result.value().get("isolation")) && unisolated.compareAndSet(false, true)) {
            // For the operator's terminal or log. The model finds it in every result.
            System.err.println(
                    "talaria mcp: nothing isolates what runs here: scripts and commands are you. Choose another"
                            + " backend (--backend bubblewrap, docker, ...) for models that you do not watch.");
        }
        return rendered(result);
    }

    private static CallToolResult rendered(ToolResult result) {
        String json = Json.text(result.value());
        return new CallToolResult(
                List.of(McpSchema.TextContent.builder(json).build()), error(result), result.value(), null);
    }

    /// Returns whether the result is an error without an outcome. A script that failed, timed out or was
    /// interrupted has an outcome: its `status` says so, and its output is there.
    private static boolean error(ToolResult result) {
        return switch (result) {
            case ToolResult.Failed _, ToolResult.Denied _ -> true;
            case ToolResult.Completed _,
                    ToolResult.TimedOut _,
                    ToolResult.Cancelled _,
                    ToolResult.Backgrounded _,
                    ToolResult.AwaitingApproval _ -> false;
        };
    }
}
