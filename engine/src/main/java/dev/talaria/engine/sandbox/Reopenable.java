package dev.talaria.engine.sandbox;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.job.GaveUpException;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.Retries;
import dev.talaria.engine.util.Waits;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Something that is slow to open and is opened once for all calls that wait for it: the sandbox of a
/// {@link SandboxSlot}, the relay and the uploaded files of an {@link OpenSandbox}.
///
/// It opens in a thread of its own. A call that cannot wait longer leaves, and the opening goes on for the others. A
/// failure that may pass is tried again. After any other failure, or when it has died, the next call opens it anew.
final class Reopenable<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Reopenable.class);

    private final String name;
    private final Supplier<T> opener;
    private final Predicate<T> alive;
    private final Consumer<T> closer;
    private final ReentrantLock lock = new ReentrantLock();
    private final CompletableFuture<Boolean> closing = new CompletableFuture<>();
    private volatile CompletableFuture<T> latest; // written under lock
    private volatile Optional<SandboxException> trouble =
            Optional.empty(); // the failure that is tried again; written by the opening thread
    private Optional<String> closed = Optional.empty(); // the reason; guarded by lock

    Reopenable(String name, Supplier<T> opener, Predicate<T> alive, Consumer<T> closer) {
        this.name = name;
        this.opener = opener;
        this.alive = alive;
        this.closer = closer;
        this.latest = CompletableFuture.failedFuture(new IllegalStateException("not opened yet"));
    }

    /// Waits until it is open and returns it.
    ///
    /// @throws GaveUpException if the opening took too long for this call
    /// @throws SandboxException if it could not be opened
    T await(Patience patience) {
        CompletableFuture<T> known = latest;
        if (open(known)) {
            return known.resultNow();
        }
        try {
            return patience.await(current());
        } catch (GaveUpException e) {
            // The failure that is tried again explains more than the timeout.
            throw trouble.<RuntimeException>map(Retries::settled)
                    .filter(_ -> e.cancelled().isEmpty())
                    .orElse(e);
        }
    }

    /// Returns it; empty if it is not open.
    Optional<T> now() {
        CompletableFuture<T> known = latest;
        return open(known) ? Optional.of(known.resultNow()) : Optional.empty();
    }

    /// Returns it for the caller to close; empty if it is not open. The next call opens it anew.
    Optional<T> release() {
        lock.lock();
        try {
            Optional<T> released = now();
            if (released.isPresent()) {
                latest = CompletableFuture.failedFuture(new IllegalStateException("not opened yet"));
            }
            return released;
        } finally {
            lock.unlock();
        }
    }

    private boolean open(CompletableFuture<T> future) {
        return future.state() == Future.State.SUCCESS && alive.test(future.resultNow());
    }

    private CompletableFuture<T> current() {
        lock.lock();
        try {
            closed.ifPresent(why -> {
                throw new SandboxException(ErrorCode.SANDBOX_LOST, why);
            });
            if (latest.isDone() && !open(latest)) {
                CompletableFuture<T> fresh = new CompletableFuture<>();
                // platform: opening may read a client's pipe, which blocks a carrier
                Thread.ofPlatform().daemon().name(name).start(() -> openInto(fresh));
                latest = fresh;
            }
            return latest;
        } finally {
            lock.unlock();
        }
    }

    private void openInto(CompletableFuture<T> future) {
        try {
            T opened = Retries.of(opener, this::pause);
            trouble = Optional.empty();
            future.complete(opened);
        } catch (RuntimeException | Error e) {
            trouble = Optional.empty();
            future.completeExceptionally(e);
        }
    }

    private void pause(Duration moment, SandboxException problem) {
        LOG.info("{}: {} Trying again in {} s", name, problem.getMessage(), moment.toSeconds());
        trouble = Optional.of(problem);
        if (Waits.until(closing, moment)) {
            throw Retries.settled(problem);
        }
    }

    /// Closes it. If it still opens, this waits with patience; it is closed in any case as soon as it is open.
    ///
    /// @param why the message for later calls, with what they can do
    void close(String why, Patience patience) {
        lock.lock();
        try {
            closed = Optional.of(why);
        } finally {
            lock.unlock();
        }
        closing.complete(true);
        try {
            patience.await(latest.thenAccept(closer));
        } catch (GaveUpException | SandboxException | IllegalStateException e) {
            // It still opens, or was never open.
        }
    }
}
