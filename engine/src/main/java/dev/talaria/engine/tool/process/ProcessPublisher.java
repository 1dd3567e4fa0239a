package dev.talaria.engine.tool.process;

import dev.talaria.engine.output.Redactor;
import dev.talaria.engine.util.Identity;
import dev.talaria.engine.util.LiveFolder;
import dev.talaria.engine.util.ScratchFolder;
import dev.talaria.engine.util.StateFile;
import dev.talaria.engine.util.Waits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Shows the processes of a running engine to its user's other programs (`talaria ps`, `logs`, `kill`). Each
/// process has a file beside its log. A process's id sent to the socket ends that process. Only the user can enter
/// the folder.
final class ProcessPublisher implements AutoCloseable {
    static final int ENDED = '1';

    private static final Logger LOG = LoggerFactory.getLogger(ProcessPublisher.class);

    private final Redactor redactor;
    private final Function<String, Optional<BackgroundProcess>> processes;
    private @Nullable ServerSocketChannel server; // this and below: guarded by this
    private String socket = "";
    private Optional<LiveFolder> far = Optional.empty(); // the socket's folder, if the logs' path is too long
    private boolean closed;

    /// @param processes finds a running process by its id
    ProcessPublisher(Redactor redactor, Function<String, Optional<BackgroundProcess>> processes) {
        this.redactor = redactor;
        this.processes = processes;
    }

    /// Shows a process from its start on. The caller does not wait for it.
    void show(BackgroundProcess process, Path folder) {
        var _ = process.begun().thenRunAsync(() -> write(process, folder), ProcessPublisher::apart);
        var _ = process.ended().thenRunAsync(() -> write(process, folder), ProcessPublisher::apart);
    }

    private static void apart(Runnable work) {
        Thread.ofVirtual().name("process-publisher").start(work);
    }

    private synchronized void write(BackgroundProcess process, Path folder) {
        if (closed) {
            return;
        }
        try {
            if (server == null) {
                listen(folder);
            }
            PublishedProcess entry = new PublishedProcess(
                    folder,
                    process.id(),
                    redactor.redact(process.origin().command(), Redactor.Mode.FULL),
                    process.origin().cwd(),
                    process.origin().started(),
                    process.pid().orElse(0),
                    process.end().map(ProcessEnd::status).orElse("running"),
                    process.end().map(ProcessEnd::exitCode),
                    socket,
                    Identity.ofThisProcess());
            StateFile.write(folder.resolve(process.id() + PublishedProcess.SUFFIX), entry.json());
        } catch (IOException e) {
            LOG.debug("Process {} is not shown", process.id(), e);
        }
    }

    private void listen(Path folder) throws IOException {
        Path path = folder.resolve("sock");
        if (!SurvivingProcess.fits(path.toString())) {
            far = Optional.of(ScratchFolder.another());
            path = far.get().path().resolve("sock");
        }
        socket = path.toString();
        ServerSocketChannel open = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        open.bind(UnixDomainSocketAddress.of(path));
        server = open;
        apart(() -> accept(open));
    }

    private void accept(ServerSocketChannel open) {
        try {
            while (true) {
                SocketChannel caller = open.accept();
                apart(() -> serve(caller));
            }
        } catch (IOException e) {
            LOG.debug("Nobody is listened to any more", e);
        }
    }

    private void serve(SocketChannel caller) {
        try (caller) {
            BufferedReader in = new BufferedReader(
                    new InputStreamReader(Channels.newInputStream(caller), StandardCharsets.US_ASCII));
            String id = in.readLine();
            Optional<BackgroundProcess> process = id == null ? Optional.empty() : processes.apply(id);
            if (process.isPresent() && end(process.get())) {
                caller.write(ByteBuffer.wrap(new byte[] {ENDED}));
            }
        } catch (IOException e) {
            LOG.debug("Whoever asked has gone", e);
        }
    }

    private static boolean end(BackgroundProcess process) {
        process.kill("user");
        Waits.until(process.ended(), BackgroundProcess.KILL_TAKES);
        return !process.running();
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (server == null) {
            return;
        }
        try {
            server.close();
            Files.deleteIfExists(Path.of(socket));
            far.ifPresent(LiveFolder::close);
        } catch (IOException e) {
            LOG.debug("Closing", e);
        }
    }
}
