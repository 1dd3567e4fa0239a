package dev.talaria.backends.container;

import dev.talaria.api.RunningProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A process whose client does one thing at a time: Podman's client reads nothing from us while it
/// cannot write the command's output. A thread that reads and answers would wait for itself. So
/// writes go into a queue here, and a thread of its own waits for the client.
///
/// @param stdin the queue
record DecoupledProcess(RunningProcess process, Input stdin) implements RunningProcess {

    static RunningProcess of(RunningProcess process) {
        Input input = new Input(process.stdin());
        // platform: a pipe write holds its carrier
        Thread.ofPlatform().daemon().name("client-input").start(input::pass);
        return new DecoupledProcess(process, input);
    }

    @Override
    public InputStream stdout() {
        return process.stdout();
    }

    @Override
    public InputStream stderr() {
        return process.stderr();
    }

    @Override
    public Optional<Integer> waitFor(Duration limit) throws InterruptedException {
        return process.waitFor(limit);
    }

    @Override
    public void kill() {
        process.kill();
    }

    @Override
    public void close() {
        stdin.abandon();
        process.close();
    }

    /// Queues written bytes up to a limit, and passes them on as fast as the client reads.
    static final class Input extends OutputStream {
        private static final int MOST = 32 << 20;

        private final OutputStream target;
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private final Deque<byte[]> queue = new ArrayDeque<>(); // guarded by lock, as all below
        private int waiting;
        private boolean closed;
        private @Nullable IOException broken;

        Input(OutputStream target) {
            this.target = target;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            lock.lock();
            try {
                while (waiting > MOST && broken == null && !closed) {
                    changed.awaitUninterruptibly();
                }
                if (broken != null) {
                    throw new IOException(broken.getMessage(), broken);
                }
                if (closed) {
                    throw new IOException("Stream closed");
                }
                if (length > 0) {
                    queue.add(Arrays.copyOfRange(bytes, offset, offset + length));
                    waiting += length;
                    changed.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                closed = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        void abandon() {
            lock.lock();
            try {
                queue.clear();
                close();
            } finally {
                lock.unlock();
            }
        }

        private void pass() {
            try (target) {
                for (byte[] next = next(); next.length > 0; next = next()) {
                    target.write(next);
                    target.flush();
                }
            } catch (IOException e) {
                lock.lock();
                try {
                    broken = e;
                    changed.signalAll();
                } finally {
                    lock.unlock();
                }
            }
        }

        /// Returns the next bytes; nothing at the end.
        private byte[] next() {
            lock.lock();
            try {
                while (queue.isEmpty() && !closed) {
                    changed.awaitUninterruptibly();
                }
                byte[] next = queue.isEmpty() ? new byte[0] : queue.remove();
                waiting -= next.length;
                changed.signalAll();
                return next;
            } finally {
                lock.unlock();
            }
        }
    }
}
