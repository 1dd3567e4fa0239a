package dev.talaria.engine.toolcalls;

import java.nio.ByteBuffer;

/// Accepts connections of scripts, whatever their transport: our socket, the relay's frames, or
/// files.
@FunctionalInterface
public interface ConnectionAcceptor {

    /// Returns the receiver for the bytes that `peer` sends.
    Receiver connected(Peer peer);

    /// Receives newline-delimited JSON requests. One thread at a time calls it. The buffer is valid
    /// only during the call.
    interface Receiver {
        void received(ByteBuffer data);

        /// Receives requests. Serves the last one in this thread if it is likely to be quick: waking
        /// another thread costs more than a quick tool.
        ///
        /// @param next the caller's further work
        /// @return false if the request took so long that another thread has begun with `next`
        ///     meanwhile
        default boolean received(ByteBuffer data, Runnable next) {
            received(data);
            return true;
        }

        void closed();
    }

    /// A script at the other end. Many threads may send answers at once.
    interface Peer {
        void send(ByteBuffer data);

        /// Notes the session of the connection, as soon as a request has proved it. Returns false if
        /// that session has too many connections.
        default boolean claimed(String session) {
            return true;
        }

        void close();
    }
}
