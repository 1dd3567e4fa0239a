package dev.talaria.engine.job.relay;

import java.nio.ByteBuffer;

/// The header of a frame. Relays, guardians, copy agents and exchanges of files send the same one.
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

    /// Returns whether the payload has at most so many bytes.
    public boolean fits(int most) {
        return length >= 0 && length <= most;
    }

    public ByteBuffer bytes() {
        return ByteBuffer.allocate(BYTES).putInt(length).put(kind).putInt(id).flip();
    }
}
