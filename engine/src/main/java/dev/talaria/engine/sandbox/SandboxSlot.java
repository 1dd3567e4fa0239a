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

/// Where the calls of a session run, one sandbox after the other: it is opened when it is needed, made anew when it has
/// died, and closed when nobody uses it.
public final class SandboxSlot {
    private static final Logger LOG = LoggerFactory.getLogger(SandboxSlot.class);

    /// How long what is given back is waited for, before another is opened: it may hold what the next one needs.
    static final Duration GIVEN_BACK = Duration.ofSeconds(30);

    private final String key;
    private final Function<Consumer<String>, OpenSandbox> opener;
    private final Preparation preparation = new Preparation();
    private final Reopenable<OpenSandbox> open;
    private final CompletableFuture<Boolean> closed = new CompletableFuture<>();
    private volatile @Nullable OpenSandbox latest; // written by the opening thread
    private volatile Optional<SandboxLoss> loss = Optional.empty(); // written under this
    private int users; // this and below: guarded by this
    private long lastUse = System.nanoTime();

    /// @param opener opens a sandbox, and says how it goes on
    SandboxSlot(String key, Function<Consumer<String>, OpenSandbox> opener, Supplier<Patience> goodbye) {
        this.key = key;
        this.opener = opener;
        this.open = new Reopenable<>("sandbox-open", this::openNext, OpenSandbox::fit, one -> one.close(goodbye.get()));
    }

    String key() {
        return key;
    }

    private OpenSandbox openNext() {
        OpenSandbox before = latest;
        if (before != null && !before.fit()) {
            before.close(Patience.endless());
        } else if (before != null) { // it was idle, and whoever took it closes it
            Waits.until(before.closed(), GIVEN_BACK);
        }
        OpenSandbox opened;
        try {
            opened = opener.apply(preparation.begin());
        } finally {
            preparation.over();
        }
        opened.tells(preparation);
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

    /// Returns its sandbox if it is open.
    Optional<OpenSandbox> now() {
        return open.now();
    }

    /// Returns a lease of its sandbox without a relay, opening the sandbox if there is none.
    SandboxLease lease(Patience patience) {
        open.await(patience).checkIfSuspected();
        return SandboxLease.of(this, open.await(patience)); // if it was gone, another one
    }

    /// Returns a lease of its sandbox with the relay. A sandbox that turns out to be gone is replaced, once.
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

    /// Notes that a call begins that may use it.
    ///
    /// @param hears told how the sandbox is got ready
    void enter(Consumer<Optional<String>> hears) {
        synchronized (this) {
            users++;
        }
        preparation.add(hears);
    }

    /// Notes that such a call is over.
    void leave(Consumer<Optional<String>> hears) {
        preparation.remove(hears);
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

    /// Returns how long nobody has used it.
    synchronized Duration idle() {
        return users > 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - lastUse);
    }

    /// Returns the sandbox for closing, if nobody has used it for so long; the next call opens another.
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

    /// Returns what its next result is to tell, once.
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

    /// Waits until it is closed, but not for ever.
    void awaitClosed() {
        Waits.until(closed, GIVEN_BACK);
        OpenSandbox last = latest;
        if (last != null) {
            Waits.until(last.closed(), GIVEN_BACK); // it may have been taken since it was idle
        }
    }

    /// @param why what calls are told that still want it
    void close(String why, Patience patience) {
        try {
            open.close(why, patience);
        } finally {
            closed.complete(true);
        }
    }
}
