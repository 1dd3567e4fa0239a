package dev.talaria.engine.job;

import dev.talaria.api.ToolResult;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// Thrown when a call's time was over, or its caller gone, before the awaited thing was ready.
public final class GaveUpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String cancelled; // empty if its time was over

    private GaveUpException(String cancelled) {
        super(cancelled.isEmpty() ? "its time was over" : cancelled);
        this.cancelled = cancelled;
    }

    static GaveUpException timeOver() {
        return new GaveUpException("");
    }

    static GaveUpException cancelled(String reason) {
        return new GaveUpException(reason.isEmpty() ? "cancelled" : reason);
    }

    /// Returns why the caller cancelled the call; empty if its time was over.
    public Optional<String> cancelled() {
        return Optional.of(cancelled).filter(reason -> !reason.isEmpty());
    }

    /// Returns the result of the call.
    public ToolResult result(Duration limit, Map<String, Object> value) {
        return cancelled()
                .<ToolResult>map(reason -> new ToolResult.Cancelled(reason, value))
                .orElseGet(() -> new ToolResult.TimedOut(limit, value));
    }

    /// Returns the result of a call, with one sentence for the caller.
    public ToolResult result(Duration limit) {
        String waiting = "while it waited for the sandbox; nothing was done.";
        return result(
                limit,
                Map.of(
                        "error",
                        cancelled()
                                .map(reason -> "Cancelled (" + reason + ") " + waiting)
                                .orElse("Timed out " + waiting)));
    }
}
