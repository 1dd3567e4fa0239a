package dev.talaria.engine.job.relay;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// Transfers bytes between host and relay: by a Unix socket on this machine, by an exec's stdin and
/// stdout elsewhere.
interface RelayLink extends AutoCloseable {

    /// Reads some bytes; -1 at the end.
    int read(ByteBuffer into) throws IOException;

    /// Returns a buffer of the kind that this link reads into best.
    ByteBuffer newBuffer(int size);

    /// Writes all bytes of a frame.
    void write(ByteBuffer header, ByteBuffer payload) throws IOException;

    @Override
    void close();

    static RelayLink of(SocketChannel channel) {
        return new RelayLink() {
            @Override
            public int read(ByteBuffer into) throws IOException {
                return channel.read(into);
            }

            @Override
            public ByteBuffer newBuffer(int size) {
                return ByteBuffer.allocateDirect(size); // the kernel writes into it, nobody copies
            }

            @Override
            public void write(ByteBuffer header, ByteBuffer payload) throws IOException {
                ByteBuffer[] parts = {header, payload};
                while (header.hasRemaining() || payload.hasRemaining()) {
                    channel.write(parts);
                }
            }

            @Override
            public void close() {
                Closing.quietly(channel);
            }
        };
    }

    static RelayLink of(InputStream in, OutputStream out) {
        return new RelayLink() {
            @Override
            public int read(ByteBuffer into) throws IOException {
                int count = in.read(into.array(), into.arrayOffset() + into.position(), into.remaining());
                into.position(into.position() + Math.max(0, count));
                return count;
            }

            @Override
            public ByteBuffer newBuffer(int size) {
                return ByteBuffer.allocate(size);
            }

            @Override
            public void write(ByteBuffer header, ByteBuffer payload) throws IOException {
                // One write: a separate header would wake the other end twice.
                ByteBuffer all = ByteBuffer.allocate(header.remaining() + payload.remaining());
                out.write(all.put(header).put(payload).array());
                out.flush();
            }

            @Override
            public void close() {
                Closing.quietly(out);
                Closing.quietly(in);
            }
        };
    }
}
