package dev.talaria.engine.audit;

import dev.talaria.api.CallEvent;
import dev.talaria.api.CallListener;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.output.Redactor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes one line of JSON for each call that ended: who, what, where, decision, duration, and the hash of the
/// result.
///
/// A call only puts its event into a queue. One thread writes the events, about 50 ms later. If that thread cannot
/// keep up and the queue is full, calls wait for room, and nothing is lost. If the file cannot be written, calls go
/// on, and the problem is logged once. When writing works again, a line with `lost` says how many lines are missing.
///
/// Several processes may write to the same folder. Only its owner can read the file `audit.jsonl`. At 64 MiB it is
/// renamed to `audit.1.jsonl`, the next one to `audit.2.jsonl` and so on. Old files are never deleted. Close the log
/// after the last call.
public final class AuditLog implements CallListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final int QUEUE = 4096;
    private static final int BATCH = 512;
    private static final long ROTATE_AT = 64L << 20;
    private static final long PAUSE_NANOS = Duration.ofMillis(50).toNanos();
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    private final BlockingQueue<AuditLine> queue;
    private final AuditFile file; // used by the writer only
    private final UnaryOperator<String> cleaner;
    private final Thread writer;
    private final AtomicBoolean late = new AtomicBoolean();
    private final AtomicInteger waiting = new AtomicInteger(); // callers that wait for room
    private volatile boolean idle; // written by the writer; then a caller has to wake it
    private volatile boolean closed; // written by close(), read by all

    /// Opens the log in {@link Folders#audit()}. Nothing is created before the first line.
    ///
    /// @param redactor masks secrets in the preview of the arguments
    public static AuditLog open(Folders folders, Redactor redactor) {
        return open(folders, text -> redactor.redact(text, Redactor.Mode.FULL));
    }

    static AuditLog open(Folders folders, UnaryOperator<String> cleaner) {
        return new AuditLog(folders.audit(), cleaner, QUEUE, ROTATE_AT);
    }

    AuditLog(Path folder, UnaryOperator<String> cleaner, int queueSize, long rotateAt) {
        this.queue = new ArrayBlockingQueue<>(queueSize);
        this.file = new AuditFile(folder, rotateAt);
        this.cleaner = cleaner;
        // platform: file writes hold their carrier
        this.writer = Thread.ofPlatform().daemon().name("talaria-audit").unstarted(this::write);
        writer.start();
    }

    @Override
    public void on(CallEvent event) {
        if (!(event instanceof CallEvent.Ended ended)) {
            return;
        }
        AuditLine line = AuditLine.of(ended, cleaner);
        if (!queue.offer(line)) {
            waitForRoom(line);
        }
        if (idle) {
            LockSupport.unpark(writer);
        }
        if (closed && !writer.isAlive() && late.compareAndSet(false, true)) {
            LOG.warn("A call ended after the audit log was closed; it is not in the log.");
        }
    }

    private void waitForRoom(AuditLine line) {
        boolean interrupted = false; // a cancelled call is logged, too
        boolean done = false;
        waiting.incrementAndGet();
        while (!done && writer.isAlive()) {
            LockSupport.unpark(writer);
            try {
                done = queue.offer(line, PAUSE_NANOS, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        waiting.decrementAndGet();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void write() {
        List<AuditLine> batch = new ArrayList<>(BATCH);
        while (true) {
            boolean last = closed; // read before the queue, which then holds all events from before the closing
            queue.drainTo(batch, BATCH);
            if (!batch.isEmpty()) {
                file.append(batch);
                batch.clear();
            } else if (last) {
                break;
            } else {
                rest();
            }
        }
        file.close();
    }

    /// Waits for the first event and a little longer, so that the writer is woken once for many events. Waking a
    /// thread costs a caller more time than a nested call.
    private void rest() {
        idle = true;
        if (queue.isEmpty() && !closed) {
            LockSupport.park(this);
        }
        idle = false;
        if (!closed && waiting.get() == 0) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    /// Writes the waiting events and ends the writer. A second call does nothing.
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(writer);
        boolean interrupted = false;
        long end = System.nanoTime() + CLOSE_LIMIT.toNanos();
        while (writer.isAlive() && end - System.nanoTime() > 0) {
            try {
                writer.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
