package dev.talaria.engine.sandbox;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.relay.Relay;
import dev.talaria.engine.util.Waits;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A session's slot for its sandboxes, one {@link OpenSandbox} after the other. It opens one when a call needs it,
/// replaces one that has died, and gives an idle one away to be closed. Calls get a {@link SandboxLease} of it.
public final class SandboxSlot {
    private static final Logger LOG = LoggerFactory.getLogger(SandboxSlot.class);

    /// How long the slot waits for the last sandbox to be closed before it opens the next, which may need the
    /// same files.
    static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);

    private final String key;
    private final Function<Consumer<String>, OpenSandbox> opener;
    private final Preparation preparation = new Preparation();
    private final Reopenable<OpenSandbox> open;
    private final CompletableFuture<Boolean> closed = new CompletableFuture<>();
    private volatile @Nullable OpenSandbox latest; // written by the opening thread
    private volatile Optional<SandboxLoss> loss = Optional.empty(); // written under this
    private int users; // this and below: guarded by this
    private long lastUse = System.nanoTime();

    /// @param opener opens a sandbox and reports its progress
    /// @param closePatience returns how long closing a sandbox may take
    SandboxSlot(String key, Function<Consumer<String>, OpenSandbox> opener, Supplier<Patience> closePatience) {
        this.key = key;
        this.opener = opener;
        this.open = new Reopenable<>(
                "sandbox-open", this::openNext, OpenSandbox::fit, one -> one.close(closePatience.get()));
    }

    String key() {
        return key;
    }

    private OpenSandbox openNext() {
        OpenSandbox before = latest;
        if (before != null && !before.fit()) {
            before.close(Patience.endless());
        } else if (before != null) { // it was idle, and another thread closes it
            Waits.until(before.closed(), CLOSE_LIMIT);
        }
        OpenSandbox opened;
        try {
            opened = opener.apply(preparation.begin());
        } finally {
            preparation.over();
        }
        opened.reportTo(preparation);
        opened.whenReplaced(() -> lost(SandboxLoss.ofConnection()));
        if (before != null && !before.fit() && before.holdsSomething()) {
            lost(SandboxLoss.ofSandbox(before.sandbox().name()));
        }
        latest = opened;
        return opened;
    }

    private synchronized void lost(SandboxLoss what) {
        loss = loss.filter(known -> known.sandbox().isPresent()).or(() -> Optional.of(what));
    }

    /// Returns the slot's sandbox; empty if none is open.
    Optional<OpenSandbox> now() {
        return open.now();
    }

    /// Returns a lease without a relay. A sandbox is opened if none is open.
    SandboxLease lease(Patience patience) {
        open.await(patience).checkIfSuspected();
        return SandboxLease.of(this, open.await(patience)); // another one, if it was gone
    }

    /// Returns a lease with the relay. A sandbox that turns out to be gone is replaced once.
    SandboxLease leaseWithRelay(Patience patience) {
        for (boolean anew = false; ; anew = true) {
            OpenSandbox found = open.await(patience);
            try {
                Optional<Relay> relay = found.relayIfAny(patience);
                SandboxLease lease = SandboxLease.of(this, found);
                return relay.map(lease::with).orElse(lease);
            } catch (SandboxException e) {
                if (found.fit()) {
                    throw e;
                }
                if (anew) {
                    throw new SandboxException(
                            ErrorCode.SANDBOX_LOST,
                            "The sandbox " + found.sandbox().name()
                                    + " was made anew and is gone again; nothing was run. Find out what removes it,"
                                    + " then try again.",
                            e);
                }
                LOG.info("{} It is made anew", e.getMessage());
            }
        }
    }

    /// Notes that a call begins that may use the sandbox.
    ///
    /// @param listener gets the progress of the sandbox's preparation
    void beginUse(Consumer<Optional<String>> listener) {
        synchronized (this) {
            users++;
        }
        preparation.add(listener);
    }

    /// Notes that a call is over that may have used the sandbox.
    void endUse(Consumer<Optional<String>> listener) {
        preparation.remove(listener);
        left();
    }

    private synchronized void left() {
        users--;
        lastUse = System.nanoTime();
        open.now().ifPresent(OpenSandbox::used);
    }

    synchronized boolean busy() {
        return users > 0;
    }

    /// Returns how long no call has used the sandbox.
    synchronized Duration idle() {
        return users > 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - lastUse);
    }

    /// Returns the sandbox for closing if it was idle for `limit`; otherwise empty. The next call opens another.
    synchronized Optional<OpenSandbox> takeIdle(Duration limit) {
        if (idle().compareTo(limit) < 0
                || !open.now().map(OpenSandbox::expendable).orElse(false)) {
            return Optional.empty();
        }
        Optional<OpenSandbox> taken = open.release();
        taken.filter(OpenSandbox::holdsSomething)
                .ifPresent(one -> lost(SandboxLoss.ofIdleness(
                        one.sandbox().name(), limit, !one.sandbox().sharesHost())));
        return taken;
    }

    /// Returns what the session has lost, for its next result, and forgets it.
    Map<String, Object> takeLoss() {
        if (loss.isEmpty()) {
            return Map.of(); // nearly always
        }
        synchronized (this) {
            Map<String, Object> told = loss.map(SandboxLoss::json).orElse(Map.of());
            loss = Optional.empty();
            return told;
        }
    }

    /// Waits until the slot is closed, for a limited time.
    void awaitClosed() {
        Waits.until(closed, CLOSE_LIMIT);
        OpenSandbox last = latest;
        if (last != null) {
            Waits.until(last.closed(), CLOSE_LIMIT); // it was idle, and another thread may still close it
        }
    }

    /// Closes the slot and its sandbox.
    ///
    /// @param why the message for calls that still ask for a sandbox
    void close(String why, Patience patience) {
        try {
            open.close(why, patience);
        } finally {
            closed.complete(true);
        }
    }
}
