package dev.talaria.engine.sandbox;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.relay.Relay;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One open sandbox, with the relay in it and the state that commands left. A relay that died is replaced as long as
/// the sandbox itself exists. A session's {@link SandboxSlot} has one of these after the other.
public final class OpenSandbox {
    private static final Logger LOG = LoggerFactory.getLogger(OpenSandbox.class);
    private static final Duration ASK_AGAIN = Duration.ofSeconds(30);
    private static final String CLOSED =
            "This sandbox was closed while the call was about to use it. The next call opens another.";

    private record Refusal(SandboxException why, long at) {}

    private final Sandbox sandbox;
    private final SandboxRegistry.Entry entry;
    private final boolean warm;
    private final SandboxContent content;
    private final Reopenable<SandboxContent.Uploaded> uploaded;
    private final Reopenable<Relay> relay;
    private final AtomicBoolean remarked = new AtomicBoolean();
    private final CompletableFuture<Boolean> closed = new CompletableFuture<>();
    private volatile Runnable replaced = () -> {}; // set by the slot, run by the thread that starts the relay
    private volatile Preparation preparation = new Preparation(); // set by the slot before the first use
    private volatile boolean began; // whether there was a relay; written by the relay's start
    private volatile boolean suspected; // whether the sandbox may be gone; written by calls that failed
    private volatile boolean gone; // written by the call that asked the sandbox
    private volatile @Nullable Refusal noPython; // written by the relay's start; expires: Python may come
    private volatile boolean used; // written at the end of a call
    private volatile boolean shellUsed; // written by commands
    private volatile Optional<String> folder = Optional.empty(); // where commands have moved; written at their end

    /// @param warm whether the sandbox was opened before a session needed it
    OpenSandbox(
            Sandbox sandbox,
            SandboxRegistry.Entry entry,
            boolean warm,
            Function<Sandbox, Relay> starter,
            SandboxContent content) {
        this.sandbox = sandbox;
        this.entry = entry;
        this.warm = warm;
        this.content = content;
        this.uploaded = new Reopenable<>("sandbox-upload", this::upload, _ -> true, _ -> {});
        this.relay = new Reopenable<>("relay-open", () -> start(starter), Relay::alive, Relay::close);
    }

    Sandbox sandbox() {
        return sandbox;
    }

    SandboxRegistry.Entry entry() {
        return entry;
    }

    boolean warm() {
        return warm;
    }

    /// Returns whether the sandbox can be used, as far as is known.
    boolean fit() {
        return !gone;
    }

    /// Sets the action that runs when the relay was replaced. The state that commands had left in the relay is
    /// lost then.
    void whenReplaced(Runnable action) {
        replaced = action;
    }

    /// Sets the preparation that this sandbox reports its progress to.
    void reportTo(Preparation newPreparation) {
        preparation = newPreparation;
    }

    /// Notes that the next call has to check whether this sandbox still exists.
    void suspect() {
        suspected = true;
    }

    /// Returns the relay and starts it if none runs. If that fails because the sandbox is gone, the sandbox is
    /// no longer {@link #fit}.
    Relay relay(Patience patience) {
        Refusal refusal = noPython;
        if (refusal != null && System.nanoTime() - refusal.at < ASK_AGAIN.toNanos()) {
            throw refusal.why;
        }
        return relay.await(patience);
    }

    /// Returns the relay as {@link #relay} does; empty if the sandbox has no Python.
    Optional<Relay> relayIfAny(Patience patience) {
        try {
            return Optional.of(relay(patience));
        } catch (SandboxException e) {
            if (e.code() == ErrorCode.PYTHON_MISSING) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /// Returns why no relay can run here.
    SandboxException whyNoRelay() {
        Refusal refusal = noPython;
        return refusal != null
                ? refusal.why
                : new SandboxException(ErrorCode.INTERNAL, "Nobody asked for a relay in " + sandbox.name() + ".");
    }

    /// Uploads the session's files into the sandbox once.
    ///
    /// @throws SandboxException if the upload fails
    void prepare(Patience patience) {
        if (!content.equals(SandboxContent.NONE)) {
            var _ = uploaded.await(patience);
        }
    }

    private SandboxContent.Uploaded upload() {
        try {
            return content.upload(sandbox.name(), this::relay, preparation.begin(), Patience.endless());
        } finally {
            preparation.over();
        }
    }

    private Relay start(Function<Sandbox, Relay> starter) {
        if (began) {
            requireThere();
        }
        try {
            Relay started = starter.apply(sandbox);
            if (began) {
                folder = Optional.empty();
                replaced.run();
            }
            began = true;
            return started;
        } catch (SandboxException e) {
            requireThere(); // a container that is just ending finds no Python, either
            if (e.code() == ErrorCode.PYTHON_MISSING) {
                noPython = new Refusal(e, System.nanoTime());
            }
            throw e;
        }
    }

    /// Asks the sandbox whether it still exists, if a call has noted that it may be gone.
    void checkIfSuspected() {
        if (suspected) {
            suspected = false;
            gone |= !there();
        }
    }

    private boolean there() {
        try {
            return sandbox.alive();
        } catch (SandboxException e) {
            LOG.debug("Whether sandbox {} is there cannot be told", sandbox.name(), e);
            return true; // away for the moment
        }
    }

    private void requireThere() {
        gone |= !there();
        if (gone) {
            throw new SandboxException(ErrorCode.SANDBOX_LOST, "The sandbox " + sandbox.name() + " is gone.");
        }
    }

    void used() {
        used = true;
    }

    void shellUsed() {
        shellUsed = true;
    }

    Optional<String> folder() {
        return folder;
    }

    void moved(String to) {
        folder = Optional.of(to);
    }

    /// Returns whether closing the sandbox loses files or shell state that its session may need.
    boolean holdsSomething() {
        return shellUsed || (used && !sandbox.sharesHost());
    }

    /// Returns whether the sandbox may be closed when it has been idle. On this machine closing it frees only a
    /// relay, which is not worth the loss of a session's shell.
    boolean expendable() {
        return !(shellUsed && sandbox.sharesHost());
    }

    /// Returns the sandbox's remarks on the first call, and nothing later.
    List<String> takeRemarks() {
        return remarked.get() || remarked.getAndSet(true) ? List.of() : sandbox.remarks();
    }

    /// Returns a future that completes when the sandbox is closed.
    CompletableFuture<Boolean> closed() {
        return closed;
    }

    /// Closes the sandbox. If a process in it outlives Talaria, the sandbox stays open and on record.
    void close(Patience patience) {
        try {
            closeNow(patience);
        } finally {
            closed.complete(true);
        }
    }

    private void closeNow(Patience patience) {
        uploaded.now().ifPresent(one -> one.download(this::relay));
        relay.close(CLOSED, patience);
        if (entry.record().survivors().stream().anyMatch(one -> one.process().alive())) {
            entry.leave();
            return;
        }
        try {
            sandbox.close();
            entry.drop();
        } catch (RuntimeException e) { // whatever a backend throws, the other sandboxes are closed
            LOG.info("Sandbox {} stays for now: {}", sandbox.name(), e.getMessage());
            entry.leave();
        }
    }
}
