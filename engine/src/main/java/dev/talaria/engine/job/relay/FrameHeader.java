package dev.talaria.engine.job.relay;

import java.nio.ByteBuffer;

/// The header of a frame, between host and relay and between host and guardian.
///
/// @param length the number of bytes in the payload that follows
/// @param kind what the payload is
/// @param id whose it is: a job, a connection, a transfer
public record FrameHeader(int length, byte kind, int id) {
    /// The number of bytes that a header takes: length (4), kind (1), id (4).
    public static final int BYTES = 9;

    /// Returns the header at a position, which stays as it is.
    public static FrameHeader at(ByteBuffer buffer, int position) {
        return new FrameHeader(buffer.getInt(position), buffer.get(position + 4), buffer.getInt(position + 5));
    }

    public ByteBuffer bytes() {
        return ByteBuffer.allocate(BYTES).putInt(length).put(kind).putInt(id).flip();
    }
}
