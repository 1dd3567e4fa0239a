package dev.talaria.engine.toolcalls;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.Reason;
import dev.talaria.api.SandboxException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The host's own Unix sockets for scripts on this machine: owner-only folder, mode 0600, peer's user
/// checked.
final class Sockets implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sockets.class);
    private static final int BUFFER = 1 << 14; // there may be thousands
    private static final String SHARED = "tools.sock";
    private static final int MOST = 4000; // each has a thread
    private static final int MOST_EACH = 1000;
    private static final long BREATHER = Duration.ofMillis(5).toNanos();

    private final Path folder;
    private final Map<String, ServerSocketChannel> listening = new ConcurrentHashMap<>();
    private final Connections connections = new Connections(MOST, MOST_EACH);
    private final Executor readers;

    Sockets(Path folder, Executor readers) {
        this.folder = folder;
        this.readers = readers;
    }

    /// Returns the path of the socket that all runs share, opening it on first use.
    synchronized String shared(ConnectionAcceptor acceptor) {
        String path = folder.resolve(SHARED).toString();
        return listening.containsKey(path) ? path : open(SHARED, acceptor);
    }

    String open(String name, ConnectionAcceptor acceptor) {
        Path path = folder.resolve(name);
        try {
            ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(path), 256);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
            listening.put(path.toString(), server);
            Thread.ofVirtual().name("tool-socket").start(() -> accept(server, acceptor));
            return path.toString();
        } catch (IOException e) {
            throw new SandboxException(
                    ErrorCode.BACKEND_UNAVAILABLE, "Cannot make a socket for tool calls: " + Reason.of(e), e);
        }
    }

    private void accept(ServerSocketChannel server, ConnectionAcceptor acceptor) {
        while (server.isOpen()) {
            try {
                SocketChannel channel = server.accept();
                if (trusted(channel) && connections.add(channel)) {
                    readers.execute(() -> read(channel, acceptor.connected(peer(channel))));
                } else {
                    channel.close();
                }
            } catch (IOException | RejectedExecutionException | OutOfMemoryError e) {
                // Closed, or short of descriptors or threads: a later connection may succeed.
                LOG.debug("A script's connection was not taken", e);
                LockSupport.parkNanos(BREATHER);
            }
        }
    }

    private boolean trusted(SocketChannel channel) {
        try {
            String peer =
                    channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName();
            return peer.equals(Files.getOwner(folder).getName()) || peer.equals("root");
        } catch (IOException | UnsupportedOperationException e) {
            LOG.warn("Refused a script's connection: its user is unknown ({})", Reason.of(e));
            return false;
        }
    }

    private ConnectionAcceptor.Peer peer(SocketChannel channel) {
        return new ConnectionAcceptor.Peer() {
            @Override
            public synchronized void send(ByteBuffer data) {
                try {
                    while (data.hasRemaining()) {
                        channel.write(data);
                    }
                } catch (IOException e) {
                    close(); // nobody waits for the answer any more
                }
            }

            @Override
            public boolean claimed(String session) {
                return connections.claim(channel, session);
            }

            @Override
            public void close() {
                Connections.close(channel);
            }
        };
    }

    /// Reads requests. This thread serves a quick request itself. If it takes too long, another
    /// thread goes on reading, and this one ends with its work.
    private void read(SocketChannel channel, ConnectionAcceptor.Receiver receiver) {
        try {
            ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
            while (channel.read(buffer) >= 0) {
                buffer.flip();
                if (!receiver.received(buffer, () -> read(channel, receiver))) {
                    return;
                }
                buffer.clear();
            }
        } catch (IOException e) {
            // The script has gone.
        } catch (OutOfMemoryError e) {
            LOG.warn("A script's connection was closed: too many are open.");
        }
        connections.remove(channel);
        receiver.closed();
        Connections.close(channel);
    }

    void close(String path) {
        ServerSocketChannel server = listening.remove(path);
        try {
            if (server != null) {
                server.close();
            }
            Files.deleteIfExists(Path.of(path));
        } catch (IOException e) {
            LOG.debug("Closing socket {}", path, e);
        }
    }

    @Override
    public void close() throws IOException {
        for (String path : listening.keySet()) {
            close(path);
        }
        for (Channel channel : connections.all()) {
            channel.close();
        }
    }
}
