package dev.talaria.engine.job.relay;

import dev.talaria.api.SandboxException;
import dev.talaria.engine.toolcalls.ConnectionAcceptor;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The scripts' connections to the relay's socket, passed on to us byte by byte.
final class ToolConnections {
    private static final int MOST = 4096; // far more than the files that a relay can have open

    private final Relay relay;
    private final ConnectionAcceptor listener;
    private final Map<Integer, ConnectionAcceptor.Receiver> open = new HashMap<>(); // guarded by this
    private final Map<Integer, Integer> consumed = new HashMap<>(); // guarded by this

    ToolConnections(Relay relay, ConnectionAcceptor listener) {
        this.relay = relay;
        this.listener = listener;
    }

    synchronized void opened(int id) {
        if (open.size() >= MOST || open.containsKey(id)) {
            throw new IllegalStateException("a connection too many");
        }
        open.put(id, listener.connected(new ConnectionAcceptor.Peer() {
            @Override
            public void send(ByteBuffer data) {
                try {
                    while (data.hasRemaining()) {
                        int size = Math.min(1 << 19, data.remaining());
                        relay.send(FrameKind.ANSWER, id, data.slice(data.position(), size));
                        data.position(data.position() + size);
                    }
                } catch (SandboxException e) {
                    // Nobody waits for the answer any more.
                }
            }

            @Override
            public void close() {
                relay.sendQuietly(FrameKind.HANG_UP, id, Map.of());
            }
        }));
    }

    /// Passes on a request.
    void received(int id, ByteBuffer data) {
        take(id, data.remaining()).ifPresent(receiver -> receiver.received(data));
    }

    /// Passes on a request. This thread may do its work itself.
    ///
    /// @param next the further work of this thread
    /// @return false if another thread has begun with `next` meanwhile
    boolean received(int id, ByteBuffer data, Runnable next) {
        Optional<ConnectionAcceptor.Receiver> receiver = take(id, data.remaining());
        return receiver.isEmpty() || receiver.get().received(data, next);
    }

    private synchronized Optional<ConnectionAcceptor.Receiver> take(int id, int count) {
        Optional<ConnectionAcceptor.Receiver> receiver = Optional.ofNullable(open.get(id));
        if (receiver.isPresent()) {
            consumed.put(id, relay.credit(id, FrameKind.REQUEST, consumed.getOrDefault(id, 0) + count));
        }
        return receiver;
    }

    synchronized void closed(int id) {
        consumed.remove(id);
        ConnectionAcceptor.Receiver receiver = open.remove(id);
        if (receiver != null) {
            receiver.closed();
        }
    }

    synchronized void close() {
        open.values().forEach(ConnectionAcceptor.Receiver::closed);
        open.clear();
    }
}
