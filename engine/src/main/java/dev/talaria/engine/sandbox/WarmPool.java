package dev.talaria.engine.sandbox;

import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.job.GaveUpException;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.ShortCommand;
import dev.talaria.engine.job.Supervisor;
import dev.talaria.engine.job.relay.Relay;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sandboxes that were opened ahead of their sessions, each with a running relay. Before a session gets one, a
/// command is run in it, since it may have died while it waited.
final class WarmPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WarmPool.class);
    private static final Duration PROOF = Duration.ofSeconds(10);

    private final int size;
    private final Supplier<OpenSandbox> opener;
    private final Consumer<OpenSandbox> closer;
    private final Deque<OpenSandbox> ready = new ArrayDeque<>(); // this and below: guarded by this
    private boolean filling;
    private boolean closed;

    WarmPool(int size, Supplier<OpenSandbox> opener, Consumer<OpenSandbox> closer) {
        this.size = size;
        this.opener = opener;
        this.closer = closer;
    }

    /// Opens the missing sandboxes in the background.
    synchronized void fill() {
        if (!filling && !closed && ready.size() < size) {
            filling = true;
            // platform: opening may read a client's pipe, which blocks a carrier
            Thread.ofPlatform().daemon().name("sandbox-warm").start(this::fillAll);
        }
    }

    private void fillAll() {
        try {
            while (wants()) {
                OpenSandbox opened = opener.get();
                try {
                    opened.relayIfAny(Patience.endless());
                } catch (RuntimeException e) {
                    closer.accept(opened);
                    throw e;
                }
                if (!offer(opened)) {
                    closer.accept(opened);
                }
            }
        } catch (RuntimeException e) { // the next claim tries again
            LOG.info("No sandbox is ready ahead: {}", e.getMessage());
        } finally {
            synchronized (this) {
                filling = false;
            }
        }
    }

    private synchronized boolean wants() {
        return !closed && ready.size() < size;
    }

    private synchronized boolean offer(OpenSandbox opened) {
        return !closed && ready.add(opened);
    }

    /// Returns a sandbox that works; empty if none is ready.
    Optional<OpenSandbox> claim() {
        for (Optional<OpenSandbox> next = next(); next.isPresent(); next = next()) {
            if (works(next.get())) {
                fill();
                return next;
            }
            LOG.info("Sandbox {} has died while it waited", next.get().sandbox().name());
            closer.accept(next.get());
        }
        fill();
        return Optional.empty();
    }

    private synchronized Optional<OpenSandbox> next() {
        return Optional.ofNullable(ready.poll());
    }

    synchronized List<OpenSandbox> ready() {
        return new ArrayList<>(ready);
    }

    private static boolean works(OpenSandbox open) {
        Patience patience = new Patience(Deadline.after(PROOF), new Cancellation());
        try {
            Optional<Relay> relay = open.relayIfAny(Patience.endless());
            if (relay.isEmpty()) {
                return ShortCommand.run(open.sandbox(), List.of("sh", "-c", ":"), new byte[0], PROOF)
                        .status()
                        .equals(Optional.of(0));
            }
            JobSpec.Program nothing =
                    JobSpec.Program.of(List.of("/bin/sh", "-c", ":")).in("/");
            Job job = relay.get().start(nothing, (_, _) -> {});
            return Supervisor.await(job, patience).exit().shellCode() == 0;
        } catch (SandboxException | GaveUpException e) {
            return false;
        }
    }

    @Override
    public void close() {
        List<OpenSandbox> all;
        synchronized (this) {
            closed = true;
            all = new ArrayList<>(ready);
            ready.clear();
        }
        all.forEach(closer);
    }
}
