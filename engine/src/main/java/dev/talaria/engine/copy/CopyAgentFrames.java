package dev.talaria.engine.copy;

import dev.talaria.engine.job.relay.FrameHeader;
import dev.talaria.engine.json.Json;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.Consumer;

/// Splits the output of `copy_agent.py` into frames as it arrives: small messages, and data that is passed on.
final class CopyAgentFrames {
    private static final int MAX_MESSAGE = 8 << 20;

    private final Consumer<Map<String, Object>> messages;
    private final Consumer<ByteBuffer> data;
    private final ByteBuffer header = ByteBuffer.allocate(FrameHeader.BYTES);
    private boolean isMessage;
    private byte[] message = new byte[0];
    private int left; // the bytes of the payload that are still to come

    CopyAgentFrames(Consumer<Map<String, Object>> messages, Consumer<ByteBuffer> data) {
        this.messages = messages;
        this.data = data;
    }

    /// Takes the next bytes.
    ///
    /// @throws IllegalArgumentException if the bytes are not in the agent's format
    void accept(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            if (header.hasRemaining()) {
                header.put(bytes.get());
                if (!header.hasRemaining()) {
                    begin();
                }
                continue;
            }
            int count = Math.min(left, bytes.remaining());
            if (isMessage) {
                bytes.get(message, message.length - left, count);
            } else {
                data.accept(bytes.slice(bytes.position(), count));
                bytes.position(bytes.position() + count);
            }
            left -= count;
            end();
        }
    }

    private void begin() {
        FrameHeader begun = FrameHeader.at(header, 0);
        isMessage = begun.kind() == 'm';
        if (!(isMessage || begun.kind() == 'd') || !begun.fits(MAX_MESSAGE)) {
            throw new IllegalArgumentException("it sent what nobody understands");
        }
        left = begun.length();
        message = isMessage ? new byte[left] : message;
        end();
    }

    private void end() {
        if (left == 0) {
            header.clear();
            if (isMessage) {
                messages.accept(Json.object(message));
            }
        }
    }
}
