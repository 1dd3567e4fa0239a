package dev.talaria.engine;

import dev.talaria.api.CallEvent;
import dev.talaria.api.CallListener;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The calls that run now. Every ten seconds it tells listeners of each call that it still runs, and what it waits
/// for.
final class ActiveCalls implements AutoCloseable {
    static final Duration EVERY = Duration.ofSeconds(10);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(3);

    private final Map<CallContext, Long> active = new ConcurrentHashMap<>();
    private final Thread ticker;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private volatile boolean closing; // written by close(), read by calls that end

    ActiveCalls(CallListener listener) {
        ticker = Thread.ofVirtual().name("still-running").start(() -> tick(listener));
    }

    void add(CallContext context) {
        active.put(context, System.nanoTime());
    }

    void remove(CallContext context) {
        active.remove(context);
        if (closing) {
            lock.lock();
            try {
                ended.signalAll();
            } finally {
                lock.unlock();
            }
        }
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

    /// Cancels all calls and waits until they have ended, for a few seconds at most: a tool may ignore the
    /// cancellation.
    @Override
    public void close() {
        ticker.interrupt();
        closing = true;
        active.keySet().forEach(context -> context.cancellation().cancel("the engine was closed"));
        lock.lock();
        try {
            long left = CLOSE_LIMIT.toNanos();
            while (!active.isEmpty() && left > 0) {
                left = ended.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
