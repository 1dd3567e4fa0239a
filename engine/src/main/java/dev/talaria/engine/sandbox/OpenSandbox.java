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

/// An open sandbox and the relay in it. A relay that died is replaced, if the sandbox itself is still there.
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
    private volatile Runnable replaced = () -> {}; // set by whoever uses it, run by the relay's start
    private volatile Preparation preparation = new Preparation(); // set by whoever uses it, before that
    private volatile boolean began; // whether there was a relay; written by the relay's start
    private volatile boolean suspected; // whether it may be gone; written by calls that failed
    private volatile boolean gone; // written by whoever asks
    private volatile @Nullable Refusal noPython; // written by the relay's start; asked again: somebody may install one
    private volatile boolean used; // written at the end of a call
    private volatile boolean shellUsed; // written by commands
    private volatile Optional<String> folder = Optional.empty(); // where commands have moved; written at their end

    /// @param warm whether it was opened before anybody wanted it
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

    /// Returns whether it can be used, as far as we know.
    boolean fit() {
        return !gone;
    }

    /// Sets what runs whenever the relay was replaced, and all that commands had left in it was lost.
    void whenReplaced(Runnable action) {
        replaced = action;
    }

    /// Sets who hears how this sandbox is prepared.
    void tells(Preparation newPreparation) {
        preparation = newPreparation;
    }

    /// Notes that the next call has to check whether this sandbox is still there.
    void suspect() {
        suspected = true;
    }

    /// Returns the relay, starting it if there is none. If that fails since the sandbox is gone, it is not {@link
    /// #fit} any more.
    Relay relay(Patience patience) {
        Refusal refusal = noPython;
        if (refusal != null && System.nanoTime() - refusal.at < ASK_AGAIN.toNanos()) {
            throw refusal.why;
        }
        return relay.await(patience);
    }

    /// Returns the relay as {@link #relay} does, and nothing where there is no Python.
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
    /// @throws SandboxException if it cannot be
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
            requireThere(); // in a container that is just ending nothing is found, either
            if (e.code() == ErrorCode.PYTHON_MISSING) {
                noPython = new Refusal(e, System.nanoTime());
            }
            throw e;
        }
    }

    /// Asks whether it is there, if somebody had reason to doubt it.
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

    /// Returns whether closing it loses what somebody may want back.
    boolean holdsSomething() {
        return shellUsed || (used && !sandbox.sharesHost());
    }

    /// Returns whether it may be closed when nobody has used it for a while. On this machine that gives nothing back
    /// but a relay: not worth anybody's shell.
    boolean expendable() {
        return !(shellUsed && sandbox.sharesHost());
    }

    /// Returns what is to be said of it, once.
    List<String> takeRemarks() {
        return remarked.get() || remarked.getAndSet(true) ? List.of() : sandbox.remarks();
    }

    /// Returns what completes when it has been given back.
    CompletableFuture<Boolean> closed() {
        return closed;
    }

    /// Gives it back. One in which a process outlives us stays, and so does its record.
    void close(Patience patience) {
        try {
            giveBack(patience);
        } finally {
            closed.complete(true);
        }
    }

    private void giveBack(Patience patience) {
        uploaded.now().ifPresent(one -> one.download(this::relay));
        relay.close(CLOSED, patience);
        if (entry.record().survivors().stream().anyMatch(one -> one.process().alive())) {
            entry.leave();
            return;
        }
        try {
            sandbox.close();
            entry.drop();
        } catch (RuntimeException e) { // whatever a backend throws: others are to be closed, too
            LOG.info("Sandbox {} stays for now: {}", sandbox.name(), e.getMessage());
            entry.leave();
        }
    }
}
