package dev.talaria.engine.acquire;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.relay.Relay;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A live sandbox and the relay in it. A relay that died is replaced at the next call.
public final class Workplace implements AutoCloseable {
    private static final Duration ASK_AGAIN = Duration.ofSeconds(30);

    private final Sandbox sandbox;
    private final Supplier<Relay> starter;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Relay relay; // guarded by lock
    private @Nullable SandboxException noPython; // guarded by lock; somebody may install one, so it is asked again
    private long askedForPython; // guarded by lock
    private boolean closed; // guarded by lock

    Workplace(Sandbox sandbox, Supplier<Relay> starter) {
        this.sandbox = sandbox;
        this.starter = starter;
    }

    public Sandbox sandbox() {
        return sandbox;
    }

    /// Returns a result's value with what this place keeps out: whoever reads it should know how far to trust it.
    public Map<String, Object> described(Map<String, Object> value) {
        Map<String, Object> described = new LinkedHashMap<>(value);
        described.put("isolation", sandbox.isolation().name().toLowerCase(Locale.ROOT));
        return described;
    }

    /// Returns the relay, starting it if there is none.
    ///
    /// @throws SandboxException with `PYTHON_MISSING` where no relay can run
    public Relay relay() {
        lock.lock();
        try {
            if (closed) {
                throw new SandboxException(ErrorCode.SANDBOX_LOST, "This engine was closed. Build a new one.");
            }
            if (noPython != null && System.nanoTime() - askedForPython < ASK_AGAIN.toNanos()) {
                throw noPython;
            }
            if (relay == null || !relay.alive()) {
                relay = starter.get();
            }
            return relay;
        } catch (SandboxException e) {
            if (e.code() == ErrorCode.PYTHON_MISSING) {
                noPython = e;
                askedForPython = System.nanoTime();
            }
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /// Returns the relay if one runs or can be started, and nothing where there is no Python.
    public Optional<Relay> relayIfAny() {
        try {
            return Optional.of(relay());
        } catch (SandboxException e) {
            if (e.code() == ErrorCode.PYTHON_MISSING) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (relay != null) {
                relay.close();
            }
            sandbox.close();
        } finally {
            lock.unlock();
        }
    }
}
