package dev.talaria.engine.toolcalls;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/// Lets a reader thread do quick work itself. If the work turns out to be slow, another thread takes
/// over the reading.
final class ReaderHandOff implements AutoCloseable {
    private static final long PATIENCE = Duration.ofMillis(1).toNanos();
    private static final long LINGER = Duration.ofMillis(50).toNanos();

    private final Executor readers;
    private final Set<Turn> turns = ConcurrentHashMap.newKeySet();
    // platform: it watches threads that may hold every carrier
    private final Thread watch =
            Thread.ofPlatform().daemon().name("tool-relief").unstarted(this::watch);
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile boolean asleep; // written by the watch, read by readers: the watch has to be woken
    private volatile boolean closed; // written by close(), read by the watch

    private static final class Turn {
        private final Runnable next;
        private final long began = System.nanoTime();
        private final AtomicBoolean decided = new AtomicBoolean();

        Turn(Runnable next) {
            this.next = next;
        }
    }

    ReaderHandOff(Executor readers) {
        this.readers = readers;
    }

    /// Does the work. Returns false if it took so long that another thread has begun with `next`
    /// meanwhile.
    boolean doOrHandOver(Runnable work, Runnable next) {
        Turn turn = new Turn(next);
        turns.add(turn);
        if (asleep || !started.get()) {
            wake();
        }
        try {
            work.run();
        } finally {
            turns.remove(turn);
        }
        return turn.decided.compareAndSet(false, true);
    }

    private void wake() {
        if (started.compareAndSet(false, true)) {
            watch.start();
        }
        LockSupport.unpark(watch);
    }

    private void watch() {
        long busy = System.nanoTime();
        while (!closed) {
            long now = System.nanoTime();
            for (Turn turn : turns) {
                busy = now;
                if (now - turn.began > PATIENCE && turn.decided.compareAndSet(false, true)) {
                    relieve(turn);
                }
            }
            if (now - busy < LINGER) {
                LockSupport.parkNanos(PATIENCE);
            } else {
                asleep = true;
                if (turns.isEmpty()) {
                    LockSupport.park(this);
                }
                asleep = false;
                busy = System.nanoTime();
            }
        }
    }

    private void relieve(Turn turn) {
        try {
            readers.execute(turn.next);
        } catch (RejectedExecutionException e) {
            // Closed meanwhile: nobody reads any more.
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(watch);
    }
}
