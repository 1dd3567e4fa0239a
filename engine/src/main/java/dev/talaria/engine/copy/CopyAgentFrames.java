package dev.talaria.engine.copy;

import dev.talaria.engine.json.Json;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.Consumer;

/// Splits the output of `copy_agent.py` into frames as it arrives: small messages, and data that is passed on.
final class CopyAgentFrames {
    private static final int HEADER = 5;
    private static final int MAX_MESSAGE = 8 << 20;

    private final Consumer<Map<String, Object>> messages;
    private final Consumer<ByteBuffer> data;
    private final byte[] header = new byte[HEADER];
    private int headerRead;
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
            if (headerRead < HEADER) {
                header[headerRead++] = bytes.get();
                if (headerRead == HEADER) {
                    begin();
                }
                continue;
            }
            int count = Math.min(left, bytes.remaining());
            if (header[0] == 'm') {
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
        left = ByteBuffer.wrap(header).getInt(1);
        boolean known = header[0] == 'm' || header[0] == 'd';
        if (!known || left < 0 || left > MAX_MESSAGE) {
            throw new IllegalArgumentException("it sent what nobody understands");
        }
        message = header[0] == 'm' ? new byte[left] : message;
        end();
    }

    private void end() {
        if (left == 0) {
            headerRead = 0;
            if (header[0] == 'm') {
                messages.accept(Json.object(message));
            }
        }
    }
}
