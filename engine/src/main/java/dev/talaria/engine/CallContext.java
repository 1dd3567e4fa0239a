package dev.talaria.engine;

import dev.talaria.api.CallEvent;
import dev.talaria.api.CallListener;
import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.Gate.Decision;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolContext;
import dev.talaria.engine.Admission.Admitted;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One call on its route: the tool sees it as its {@link ToolContext}, and the route notes here what each step
/// found.
final class CallContext implements ToolContext, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CallContext.class);

    private final ToolCall call;
    private final Deadline deadline;
    private final Cancellation cancellation;
    private final CallListener listener;
    private final long began = System.nanoTime();
    private volatile Supplier<String> waiting = () -> "the tool"; // set by the tool's thread, read by the ticker
    private volatile Optional<String> preparing = Optional.empty(); // set by the thread that opens the sandbox
    private volatile @Nullable String sandbox; // set by the tool's thread
    private Optional<Admitted> admitted = Optional.empty(); // this and the next two: read and set by the route's thread
    private Optional<Decision.Allowed> allowed = Optional.empty();
    private String decision = "failed";
    private final Map<Class<?>, AutoCloseable> kept = new ConcurrentHashMap<>();

    CallContext(ToolCall call, Deadline deadline, Cancellation cancellation, CallListener listener) {
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
        this.sandbox = sandbox;
    }

    /// Tells listeners how the call's sandbox is prepared. The last event of this kind is empty.
    public void preparing(CallEvent.Preparing event) {
        preparing = event.what();
        listener.on(event);
    }

    @Override
    public <T extends AutoCloseable> T kept(Class<T> kind, Supplier<T> open) {
        return kind.cast(kept.computeIfAbsent(kind, _ -> open.get()));
    }

    /// Closes the objects that `kept` has opened for the call.
    @Override
    public void close() {
        for (AutoCloseable one : kept.values()) {
            try {
                one.close();
            } catch (Exception e) {
                LOG.debug("Closing what a call needed", e);
            }
        }
        kept.clear();
    }

    public Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    public String waitingFor() {
        return preparing.orElseGet(waiting);
    }

    /// Returns the name of the sandbox that the tool worked in.
    public Optional<String> sandbox() {
        return Optional.ofNullable(sandbox);
    }

    void admitted(Admitted call) {
        admitted = Optional.of(call);
    }

    Optional<Admitted> admitted() {
        return admitted;
    }

    void allowed(Decision.Allowed how) {
        allowed = Optional.of(how);
        decision = how.word();
    }

    Optional<Decision.Allowed> allowed() {
        return allowed;
    }

    void decision(String word) {
        decision = word;
    }

    /// Returns the word of the audit log for what the gate decided.
    String decision() {
        return decision;
    }
}
