package dev.talaria.engine.job.direct;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// One output stream of a program that our shell runs. Skips all bytes before our first line (login
/// shells print), passes on the following bytes, and removes our last line from them.
///
/// Our lines start with a NUL and a mark that nobody else knows. Text does not contain NUL, so it
/// never ends in a possible beginning of the mark.
final class MarkedOutput {
    private static final int MAX_NOISE = 4000;
    private static final int MAX_LINE = 1 << 16;

    private final byte[] mark;
    private final Consumer<ByteBuffer> sink;
    private final CompletableFuture<String> firstLine = new CompletableFuture<>();
    private final CompletableFuture<String> lastLine = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Object passing = new Object();
    private volatile String noise = ""; // written by the reading thread, read when it has ended
    private volatile long heard = System.nanoTime(); // written by the reading thread, read by drain()
    private byte[] held = new byte[0]; // touched by the reading thread only
    private boolean muted; // guarded by passing

    MarkedOutput(InputStream stream, String magic, String name, Consumer<ByteBuffer> sink) {
        this.mark = ("\0" + magic).getBytes(StandardCharsets.US_ASCII);
        this.sink = sink;
        // platform: a pipe read holds its carrier
        Thread.ofPlatform().daemon().name(name).start(() -> read(stream));
    }

    /// Returns the text of our first line, once it has arrived.
    CompletableFuture<String> firstLine() {
        return firstLine;
    }

    /// Returns the text of our last line, once it has arrived.
    CompletableFuture<String> lastLine() {
        return lastLine;
    }

    CompletableFuture<Void> ended() {
        return ended;
    }

    /// Returns the last bytes before our first line.
    String noise() {
        return noise.strip();
    }

    /// Returns when the last bytes came, as a {@link System#nanoTime()}.
    long heard() {
        return heard;
    }

    /// Stops passing on output. When this returns, no byte is being passed on.
    void mute() {
        synchronized (passing) {
            muted = true;
        }
    }

    private void pass(ByteBuffer data) {
        synchronized (passing) {
            if (!muted && data.hasRemaining()) {
                sink.accept(data);
            }
        }
    }

    private void read(InputStream stream) {
        byte[] buffer = new byte[1 << 16];
        try {
            for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
                heard = System.nanoTime();
                take(joined(buffer, count));
            }
        } catch (IOException e) {
            // The stream was closed with its process; the bytes read so far count.
        } finally {
            if (firstLine.isDone() && !lastLine.isDone()) {
                pass(ByteBuffer.wrap(held));
            }
            ended.complete(null);
        }
    }

    private ByteBuffer joined(byte[] buffer, int count) {
        if (held.length == 0) {
            return ByteBuffer.wrap(buffer, 0, count);
        }
        byte[] all = new byte[held.length + count];
        System.arraycopy(held, 0, all, 0, held.length);
        System.arraycopy(buffer, 0, all, held.length, count);
        held = new byte[0];
        return ByteBuffer.wrap(all);
    }

    private void take(ByteBuffer data) {
        if (!firstLine.isDone()) {
            int at = find(data);
            noise(data.slice(data.position(), at - data.position()));
            data.position(at);
            if (!line(data, firstLine)) {
                return;
            }
        }
        if (!lastLine.isDone()) {
            int at = find(data);
            if (at > data.position()) {
                pass(data.slice(data.position(), at - data.position()));
            }
            data.position(at);
            var _ = line(data, lastLine);
        }
    }

    /// Reads one of our lines, which starts here. Holds an incomplete line until the rest arrives.
    private boolean line(ByteBuffer data, CompletableFuture<String> into) {
        int length = data.remaining();
        for (int i = mark.length; i < length; i++) {
            if (data.get(data.position() + i) == '\n' || i > MAX_LINE) {
                byte[] text = new byte[i - mark.length];
                data.get(data.position() + mark.length, text);
                data.position(data.position() + i + 1);
                into.complete(new String(text, StandardCharsets.UTF_8).strip());
                return true;
            }
        }
        held = new byte[length];
        data.get(held);
        return false;
    }

    /// Returns the place of the mark, or of a possible beginning of it; the end of the data if there
    /// is none.
    private int find(ByteBuffer data) {
        for (int at = data.position(); at < data.limit(); at++) {
            int i = 0;
            while (i < mark.length && at + i < data.limit() && data.get(at + i) == mark[i]) {
                i++;
            }
            if (i == mark.length || at + i == data.limit()) {
                return at;
            }
        }
        return data.limit();
    }

    private void noise(ByteBuffer data) {
        String all = noise + StandardCharsets.UTF_8.decode(data);
        noise = all.substring(Math.max(0, all.length() - MAX_NOISE));
    }
}
