package dev.talaria.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// A port of this machine that leads to another one with a delay: every byte arrives later by the
/// same time, in both directions, and no byte waits for the one before it.
final class SlowLink implements AutoCloseable {
    private static final int CHUNK = 65536;

    private final ServerSocket server;
    private final InetSocketAddress target;
    private final Duration oneWay;

    private record Chunk(byte[] bytes, long due) {}

    SlowLink(InetSocketAddress target, Duration oneWay) throws IOException {
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.target = target;
        this.oneWay = oneWay;
        Thread.ofVirtual().name("slow-link").start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket near = server.accept();
                Socket far = new Socket(target.getAddress(), target.getPort());
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                carry(near, far);
                carry(far, near);
            }
        } catch (IOException e) {
            // The row is over.
        }
    }

    private void carry(Socket from, Socket to) {
        BlockingQueue<Chunk> underway = new LinkedBlockingQueue<>();
        Thread.ofVirtual().start(() -> read(from, underway));
        Thread.ofVirtual().start(() -> write(to, underway));
    }

    private void read(Socket from, BlockingQueue<Chunk> underway) {
        byte[] buffer = new byte[CHUNK];
        try (InputStream in = from.getInputStream()) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                underway.add(new Chunk(Arrays.copyOf(buffer, count), System.nanoTime() + oneWay.toNanos()));
            }
        } catch (IOException e) {
            // The end is passed on in any case.
        }
        underway.add(new Chunk(new byte[0], System.nanoTime()));
    }

    private static void write(Socket to, BlockingQueue<Chunk> underway) {
        try (OutputStream out = to.getOutputStream()) {
            for (Chunk chunk = underway.take(); chunk.bytes().length > 0; chunk = underway.take()) {
                TimeUnit.NANOSECONDS.sleep(chunk.due() - System.nanoTime());
                out.write(chunk.bytes());
            }
        } catch (IOException e) {
            // The other side has gone.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
