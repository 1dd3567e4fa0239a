package dev.talaria.engine.sandbox;

import dev.talaria.engine.util.Waits;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Sandboxes that are being closed, side by side: giving one back may take a container engine many seconds.
final class SandboxCloser {
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    void begin(Runnable closing) {
        // platform: clients are waited for at their pipes, and a pipe read holds its carrier
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

    /// Waits until all are closed, but no longer than this.
    void await(Duration limit) {
        Waits.untilEnd(threads, limit);
    }
}
