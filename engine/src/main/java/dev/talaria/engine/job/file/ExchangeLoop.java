package dev.talaria.engine.job.file;

import dev.talaria.api.SandboxException;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.toolcalls.ConnectionAcceptor;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Keeps one exchange waiting in the sandbox while a script runs, and starts the next one when there
/// are answers to write.
///
/// A waiting exchange cannot take answers: the next one brings them, and the former leaves. There are
/// never more than two, so answers that come close together travel together.
final class ExchangeLoop implements AutoCloseable {
    /// How long the next exchange waits for the answer to a request. Otherwise the answer would have
    /// to wait for the exchange after it.
    private static final Duration TOGETHER = Duration.ofMillis(5);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final ExchangeOrders steps;
    private final String folder;
    private final FileOptions options;
    private final FileToolCalls toolCalls;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<Exchange> alive = new HashSet<>(); // this and below: guarded by lock
    private @Nullable Exchange latest;
    private int failures;
    private boolean stopped;

    ExchangeLoop(
            ExchangeOrders steps,
            String folder,
            FileOptions options,
            ConnectionAcceptor acceptor,
            JobSpec.Script script) {
        this.steps = steps;
        this.folder = folder;
        this.options = options;
        this.toolCalls = new FileToolCalls(acceptor, options, script, this::signal);
    }

    void start() {
        Thread.ofVirtual().name("exchanges").start(this::loop);
    }

    private void loop() {
        try {
            for (int turn = 1; awaitNeed(); turn++) {
                launch(turn);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Waits until another exchange is needed. Returns false when there will be none.
    private boolean awaitNeed() throws InterruptedException {
        lock.lock();
        try {
            long pause = failures == 0
                    ? 0
                    : Math.min(LONGEST_PAUSE.toNanos(), FIRST_PAUSE.toNanos() << Math.min(failures, 10));
            while (!stopped && pause > 0) {
                pause = changed.awaitNanos(pause);
            }
            while (!stopped && !needed()) {
                changed.await();
            }
            long together = TOGETHER.toNanos();
            while (!stopped && together > 0 && latest == null && toolCalls.onlyExpects()) {
                together = changed.awaitNanos(together);
            }
            return !stopped;
        } finally {
            lock.unlock();
        }
    }

    private boolean needed() {
        return alive.size() < 2 && (latest == null || toolCalls.hasAnswers());
    }

    private void launch(int turn) {
        Exchange exchange;
        try {
            exchange = Exchange.start(steps, folder, turn, options, toolCalls);
        } catch (SandboxException e) {
            failed();
            return;
        }
        lock.lock();
        try {
            if (stopped) {
                exchange.close();
                return;
            }
            alive.add(exchange);
            latest = exchange;
        } finally {
            lock.unlock();
        }
        // platform: a pipe read holds its carrier
        Thread.ofPlatform().daemon().name("exchange").start(() -> ended(exchange, exchange.run()));
    }

    private void failed() {
        lock.lock();
        try {
            failures++;
        } finally {
            lock.unlock();
        }
    }

    private void ended(Exchange exchange, Exchange.Outcome outcome) {
        lock.lock();
        try {
            alive.remove(exchange);
            if (exchange.equals(latest)) {
                latest = null;
                failures = outcome == Exchange.Outcome.SERVED ? 0 : failures + 1;
                stopped |= outcome == Exchange.Outcome.GONE;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Ends the waiting exchange at once.
    @Override
    public void close() {
        List<Exchange> left;
        lock.lock();
        try {
            stopped = true;
            left = List.copyOf(alive);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        toolCalls.hangUp();
        left.forEach(Exchange::close);
    }
}
