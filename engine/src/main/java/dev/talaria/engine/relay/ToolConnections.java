package dev.talaria.engine.relay;

import dev.talaria.api.SandboxException;
import dev.talaria.engine.rpc.Switchboard;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/// Scripts' connections to the relay's socket, passed on to us byte by byte.
final class ToolConnections {
    private final Relay relay;
    private final Switchboard listener;
    private final Map<Integer, Switchboard.Receiver> open = new HashMap<>(); // guarded by this
    private final Map<Integer, Integer> consumed = new HashMap<>(); // guarded by this

    ToolConnections(Relay relay, Switchboard listener) {
        this.relay = relay;
        this.listener = listener;
    }

    synchronized void opened(int id) {
        open.put(id, listener.connected(new Switchboard.Peer() {
            @Override
            public void send(ByteBuffer data) {
                try {
                    while (data.hasRemaining()) {
                        int size = Math.min(1 << 19, data.remaining());
                        relay.send(Frame.ANSWER, id, data.slice(data.position(), size));
                        data.position(data.position() + size);
                    }
                } catch (SandboxException e) {
                    // Nobody waits for the answer any more.
                }
            }

            @Override
            public void close() {
                relay.sendQuietly(Frame.HANG_UP, id, Map.of());
            }
        }));
    }

    synchronized void received(int id, ByteBuffer data) {
        Switchboard.Receiver receiver = open.get(id);
        if (receiver == null) {
            return;
        }
        int total = consumed.merge(id, data.remaining(), Integer::sum);
        receiver.received(data);
        if (total >= Relay.WINDOW / 4) {
            relay.credit(id, Frame.REQUEST, total);
            consumed.put(id, 0);
        }
    }

    synchronized void closed(int id) {
        consumed.remove(id);
        Switchboard.Receiver receiver = open.remove(id);
        if (receiver != null) {
            receiver.closed();
        }
    }

    synchronized void close() {
        open.values().forEach(Switchboard.Receiver::closed);
        open.clear();
    }
}
