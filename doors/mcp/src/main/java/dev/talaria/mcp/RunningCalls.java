package dev.talaria.mcp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// The running calls by request id. Each has a virtual thread.
final class RunningCalls {
    private final Map<Object, RunningCall> byId = new ConcurrentHashMap<>();
    private final Map<RunningCall, Thread> threads = new ConcurrentHashMap<>();

    boolean has(Object id) {
        return byId.containsKey(id);
    }

    /// Runs `work` in its own thread.
    void start(Object id, Consumer<RunningCall> work) {
        RunningCall call = new RunningCall();
        byId.put(id, call);
        Thread thread = Thread.ofVirtual().name("mcp-call").unstarted(() -> {
            try {
                work.accept(call);
            } finally {
                byId.remove(id, call);
                threads.remove(call);
            }
        });
        threads.put(call, thread);
        thread.start();
    }

    /// Frees the id of a call that is being answered, and returns the call.
    Optional<RunningCall> release(Object id) {
        return Optional.ofNullable(byId.remove(id));
    }

    /// Ends a call whose answer is no longer wanted. It does not wait.
    void drop(Object id, String why) {
        Optional.ofNullable(byId.get(id))
                .ifPresent(call -> Thread.ofVirtual().name("mcp-cancel").start(() -> call.drop(why)));
    }

    /// Ends all calls and waits for their ends. A call that does not react is interrupted after `patience`, and
    /// left alone after another `patience`.
    void dropAll(String why, Duration patience) throws InterruptedException {
        var left = new ArrayList<>(threads.values());
        threads.keySet().forEach(call -> Thread.ofVirtual().name("mcp-cancel").start(() -> call.drop(why)));
        join(left, patience);
        left.forEach(Thread::interrupt);
        join(left, patience);
    }

    private static void join(Iterable<Thread> threads, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        for (Thread thread : threads) {
            thread.join(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
        }
    }
}
