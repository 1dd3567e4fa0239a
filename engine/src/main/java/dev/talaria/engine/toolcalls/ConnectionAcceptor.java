package dev.talaria.engine.toolcalls;

import java.nio.ByteBuffer;

/// Takes scripts' connections, however they travel: a socket of ours, the relay's frames, or files.
@FunctionalInterface
public interface ConnectionAcceptor {

    /// Returns what takes the bytes that `peer` sends.
    Receiver connected(Peer peer);

    /// Takes newline-delimited JSON requests; called by one thread at a time, the buffer is only lent.
    interface Receiver {
        void received(ByteBuffer data);

        /// Takes them, and does the work of the last one itself if that is likely to be quick: waking another thread
        /// costs more than a quick tool.
        ///
        /// @param next what the caller would do afterwards
        /// @return false if the work took so long that another thread has begun with `next` meanwhile
        default boolean received(ByteBuffer data, Runnable next) {
            received(data);
            return true;
        }

        void closed();
    }

    /// A script at the other end. Answers may come from many threads at once.
    interface Peer {
        void send(ByteBuffer data);

        /// Notes whose it is, as soon as that is proved; returns false if that session has too many already.
        default boolean claimed(String session) {
            return true;
        }

        void close();
    }
}
