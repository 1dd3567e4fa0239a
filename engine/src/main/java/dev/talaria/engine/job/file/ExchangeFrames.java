package dev.talaria.engine.job.file;

import dev.talaria.engine.job.relay.FrameHeader;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Reads the output of `exchange.py`: frames after a line that we chose. All sizes are limited.
final class ExchangeFrames {
    private static final int MAX_NOISE = 1 << 20;

    private final DataInputStream in;
    private final int maxPayload;

    private ExchangeFrames(DataInputStream in, int maxPayload) {
        this.in = in;
        this.maxPayload = maxPayload;
    }

    /// One frame.
    static final class Frame {
        private final byte kind;
        private final byte[] payload;

        private Frame(byte kind, byte[] payload) {
            this.kind = kind;
            this.payload = payload;
        }

        byte kind() {
            return kind;
        }

        /// Returns the bytes without copying them: the receiver of the frame owns them.
        byte[] payload() {
            return payload;
        }

        String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }
    }

    /// Returns the frames behind the line `mark`. Login shells may print before it.
    static ExchangeFrames after(InputStream stream, String mark, int maxPayload) throws IOException {
        DataInputStream in = new DataInputStream(stream);
        byte[] line = ("\n" + mark + "\n").getBytes(StandardCharsets.US_ASCII);
        int matched = 0;
        for (int read = 0; matched < line.length; read++) {
            if (read > MAX_NOISE) {
                throw new IOException("it printed something else");
            }
            byte next = in.readByte();
            matched = next == line[matched] ? matched + 1 : next == line[0] ? 1 : 0;
        }
        return new ExchangeFrames(in, maxPayload);
    }

    /// Returns the next frame; empty at the end.
    Optional<Frame> next() throws IOException {
        byte[] start = in.readNBytes(FrameHeader.BYTES);
        if (start.length == 0) {
            return Optional.empty();
        }
        FrameHeader header = FrameHeader.at(ByteBuffer.wrap(whole(start, FrameHeader.BYTES)), 0);
        if (!header.fits(maxPayload)) {
            throw new IOException("a frame of " + Integer.toUnsignedLong(header.length()) + " bytes");
        }
        return Optional.of(new Frame(header.kind(), whole(in.readNBytes(header.length()), header.length())));
    }

    private static byte[] whole(byte[] read, int length) throws IOException {
        if (read.length < length) {
            throw new EOFException("a frame was cut off");
        }
        return read;
    }
}
