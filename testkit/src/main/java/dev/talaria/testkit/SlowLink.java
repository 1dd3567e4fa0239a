package dev.talaria.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A TCP port of this machine that leads to another one over a bad line: it delays, throttles, drops
/// and cuts, and counts round trips. Not every machine has netem; this class does not need it.
public final class SlowLink implements AutoCloseable {
    private static final int CHUNK = 1 << 14;

    private final ServerSocket server;
    private final int target;
    private final Duration delay;
    private final long bytesPerSecond;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger atServer = new AtomicInteger(); // the latest round of the bytes that have arrived there
    private final AtomicInteger atClient = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition open = lock.newCondition();
    private boolean held; // this and the next two: guarded by lock
    private int made; // the number of connections so far
    private int stranded; // connections up to this number receive nothing any more

    /// Some bytes on their way.
    ///
    /// @param due when they arrive, as a {@link System#nanoTime()}; an empty chunk is the end
    /// @param round the number of round trips that caused them, including their own
    private record Chunk(byte[] bytes, long due, int round) {}

    private SlowLink(int target, Duration delay, long bytesPerSecond) {
        this.target = target;
        this.delay = delay;
        this.bytesPerSecond = bytesPerSecond;
        try {
            this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofPlatform().daemon().name("link-" + target).start(this::accept);
    }

    /// Returns a line without delay, until it is held or cut.
    public static SlowLink to(int port) {
        return new SlowLink(port, Duration.ZERO, Long.MAX_VALUE);
    }

    /// Returns a line with a delay.
    ///
    /// @param delay for each direction
    public static SlowLink to(int port, Duration delay) {
        return new SlowLink(port, delay, Long.MAX_VALUE);
    }

    /// Returns a line with a delay and a limited bandwidth.
    ///
    /// @param delay for each direction
    /// @param bytesPerSecond for each direction of each connection
    public static SlowLink to(int port, Duration delay, long bytesPerSecond) {
        return new SlowLink(port, delay, bytesPerSecond);
    }

    public int port() {
        return server.getLocalPort();
    }

    /// Stops delivering bytes in both directions, so that nobody notices.
    public void hold() {
        set(true);
    }

    /// Drops everything of the present connections from now on, as if the other end had lost its
    /// power; new connections work.
    public void strand() {
        lock.lock();
        try {
            stranded = made;
        } finally {
            lock.unlock();
        }
    }

    /// Delivers the bytes on their way after all.
    public void resume() {
        set(false);
    }

    private void set(boolean value) {
        lock.lock();
        try {
            held = value;
            stranded = 0;
            open.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Ends all connections; new ones are possible.
    public void cut() {
        sockets.forEach(SlowLink::close);
        sockets.clear();
    }

    /// Returns the number of open connections.
    public int connections() {
        return sockets.size() / 2;
    }

    /// Resets the count of round trips. Nothing should be on its way.
    public void countAnew() {
        atServer.set(0);
        atClient.set(0);
    }

    /// Returns how many round trips, one after the other, caused the last bytes that came back. Bytes
    /// that were sent without waiting for an answer make no round trip of their own, however many
    /// they are.
    public int roundTrips() {
        return atClient.get();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                join(server.accept());
            } catch (IOException e) {
                // This link is closed.
            }
        }
    }

    private void join(Socket client) {
        try {
            Socket there = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(client);
            sockets.add(there);
            client.setTcpNoDelay(true);
            there.setTcpNoDelay(true);
            int number = number();
            pump(number, client, there, atClient, 1, atServer);
            pump(number, there, client, atServer, 0, atClient);
        } catch (IOException e) {
            close(client); // nobody listens there
        }
    }

    private int number() {
        lock.lock();
        try {
            return ++made;
        } finally {
            lock.unlock();
        }
    }

    private void pump(int number, Socket from, Socket to, AtomicInteger cause, int step, AtomicInteger effect) {
        BlockingQueue<Chunk> way = new LinkedBlockingQueue<>();
        Thread.ofPlatform().daemon().name("link-in").start(() -> read(from, way, cause, step));
        Thread.ofPlatform().daemon().name("link-out").start(() -> write(number, to, way, effect));
    }

    private void read(Socket from, BlockingQueue<Chunk> way, AtomicInteger cause, int step) {
        byte[] buffer = new byte[CHUNK];
        try {
            InputStream in = from.getInputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                byte[] bytes = new byte[count];
                System.arraycopy(buffer, 0, bytes, 0, count);
                way.add(new Chunk(bytes, System.nanoTime() + delay.toNanos(), cause.get() + step));
            }
        } catch (IOException e) {
            // The connection was cut.
        }
        way.add(new Chunk(new byte[0], System.nanoTime() + delay.toNanos(), 0));
    }

    private void write(int number, Socket to, BlockingQueue<Chunk> way, AtomicInteger effect) {
        try {
            OutputStream out = to.getOutputStream();
            for (Chunk chunk = way.take(); chunk.bytes.length > 0; chunk = way.take()) {
                awaitTurn(number, chunk.due);
                effect.accumulateAndGet(chunk.round, Math::max);
                out.write(chunk.bytes);
                out.flush();
                if (bytesPerSecond < Long.MAX_VALUE) {
                    TimeUnit.NANOSECONDS.sleep(chunk.bytes.length * 1_000_000_000L / bytesPerSecond);
                }
            }
            awaitTurn(number, System.nanoTime());
            to.shutdownOutput();
        } catch (IOException e) {
            close(to);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitTurn(int number, long due) throws InterruptedException {
        long left = due - System.nanoTime();
        if (left > 0) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
        lock.lock();
        try {
            while (held || number <= stranded) {
                open.await();
            }
        } finally {
            lock.unlock();
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // The socket is closed.
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            // The server is closed.
        }
        cut();
        resume();
    }
}
