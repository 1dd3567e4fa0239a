package dev.talaria.engine.acquire;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.relay.Relay;
import dev.talaria.engine.start.Patience;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A live sandbox and the relay in it. A relay that died is replaced at the next call.
public final class Workplace {
    private static final Duration ASK_AGAIN = Duration.ofSeconds(30);

    private record Refusal(SandboxException why, long at) {}

    private final Sandbox sandbox;
    private final Luggage luggage;
    private final Opening<Boolean> unpacked;
    private final Opening<Relay> relay;
    private final AtomicBoolean recreated = new AtomicBoolean();
    private volatile boolean began; // whether there was a relay; written by the relay's start
    private volatile @Nullable Refusal noPython; // written by the relay's start; asked again: somebody may install one

    Workplace(Sandbox sandbox, Supplier<Relay> starter, Luggage luggage) {
        this.sandbox = sandbox;
        this.luggage = luggage;
        this.unpacked = new Opening<>(
                "luggage", () -> luggage.unpack(this, Patience.endless()), _ -> true, _ -> {});
        this.relay = new Opening<>("relay-open", () -> start(starter), Relay::alive, Relay::close);
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
    public Relay relay(Patience patience) {
        Refusal refusal = noPython;
        if (refusal != null && System.nanoTime() - refusal.at < ASK_AGAIN.toNanos()) {
            throw refusal.why;
        }
        return relay.await(patience);
    }

    /// Has what belongs into the sandbox brought there, unless it is.
    ///
    /// @throws SandboxException if it cannot be
    void prepare(Patience patience) {
        if (!luggage.equals(Luggage.NONE)) {
            unpacked.await(patience);
        }
    }

    private Relay start(Supplier<Relay> starter) {
        try {
            Relay started = starter.get();
            recreated.set(began);
            began = true;
            return started;
        } catch (SandboxException e) {
            if (e.code() == ErrorCode.PYTHON_MISSING) {
                noPython = new Refusal(e, System.nanoTime());
            }
            throw e;
        }
    }

    /// Returns whether the relay was replaced, with all that commands had left in it; says so once.
    boolean takeRecreated() {
        return recreated.getAndSet(false);
    }

    /// Returns the relay if one runs or can be started, and nothing where there is no Python.
    public Optional<Relay> relayIfAny(Patience patience) {
        try {
            return Optional.of(relay(patience));
        } catch (SandboxException e) {
            if (e.code() == ErrorCode.PYTHON_MISSING) {
                return Optional.empty();
            }
            throw e;
        }
    }

    void close(Patience patience) {
        if (unpacked.now().isPresent()) {
            luggage.pack(this);
        }
        relay.close(patience);
        sandbox.close();
    }
}
