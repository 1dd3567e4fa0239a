package dev.talaria.engine;

import dev.talaria.api.CallEvent;
import dev.talaria.api.CallListener;
import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolContext;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One call on its way: what the tool is given, and what the route learns from it.
public final class RouteContext implements ToolContext {
    private final ToolCall call;
    private final Deadline deadline;
    private final Cancellation cancellation;
    private final CallListener listener;
    private final long began = System.nanoTime();
    private volatile Supplier<String> waiting = () -> "the tool"; // set by the tool's thread, read by the ticker
    private volatile Optional<String> preparing = Optional.empty(); // set by whoever gets the sandbox ready
    private volatile @Nullable String place; // set by the tool's thread

    RouteContext(ToolCall call, Deadline deadline, Cancellation cancellation, CallListener listener) {
        this.call = call;
        this.deadline = deadline;
        this.cancellation = cancellation;
        this.listener = listener;
    }

    @Override
    public ToolCall call() {
        return call;
    }

    @Override
    public Deadline deadline() {
        return deadline;
    }

    @Override
    public Cancellation cancellation() {
        return cancellation;
    }

    @Override
    public void waitingFor(Supplier<String> what) {
        waiting = what;
    }

    @Override
    public void output(CallEvent.Stream stream, String text) {
        listener.on(new CallEvent.Output(call, stream, text));
    }

    @Override
    public void ranIn(String sandbox) {
        place = sandbox;
    }

    /// Tells listeners how what the call needs is got ready; nothing as soon as it is.
    void preparing(Optional<String> what) {
        preparing = what;
        listener.on(new CallEvent.Preparing(call, what));
    }

    public Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    String waitingFor() {
        return preparing.orElseGet(waiting);
    }

    Optional<String> place() {
        return Optional.ofNullable(place);
    }
}
