package dev.talaria.engine;

import dev.talaria.api.CallEvent;
import dev.talaria.api.CallListener;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The calls under way; says of each every ten seconds that it still runs, and what it waits for.
final class ActiveCalls implements AutoCloseable {
    static final Duration EVERY = Duration.ofSeconds(10);

    private final Map<RouteContext, Long> active = new ConcurrentHashMap<>();
    private final Thread ticker;

    ActiveCalls(CallListener listener) {
        ticker = Thread.ofVirtual().name("still-running").start(() -> tick(listener));
    }

    void add(RouteContext context) {
        active.put(context, System.nanoTime());
    }

    void remove(RouteContext context) {
        active.remove(context);
    }

    private void tick(CallListener listener) {
        try {
            while (true) {
                Thread.sleep(1000);
                long now = System.nanoTime();
                active.forEach((context, said) -> {
                    if (now - said >= EVERY.toNanos()) {
                        active.replace(context, said, now);
                        listener.on(
                                new CallEvent.StillRunning(context.call(), context.elapsed(), context.waitingFor()));
                    }
                });
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        ticker.interrupt();
    }
}
