package dev.talaria.engine.sandbox;

import dev.talaria.engine.util.Waits;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Closes sandboxes in threads of their own, side by side, since a container engine may take many seconds for one.
final class SandboxCloser {
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    void begin(Runnable closing) {
        // platform: closing may read a client's pipe, which blocks a carrier
        Thread thread = Thread.ofPlatform().daemon().name("sandbox-close").unstarted(() -> {
            try {
                closing.run();
            } finally {
                threads.remove(Thread.currentThread());
            }
        });
        threads.add(thread);
        thread.start();
    }

    /// Waits until all are closed, but no longer than `limit`.
    void await(Duration limit) {
        Waits.untilEnd(threads, limit);
    }
}
