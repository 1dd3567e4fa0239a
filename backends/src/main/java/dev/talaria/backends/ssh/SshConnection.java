package dev.talaria.backends.ssh;

import dev.talaria.backends.process.Client;
import dev.talaria.backends.process.LocalProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// One connection, shared by all commands of a sandbox through a socket. A command on the other
/// machine holds it open and ends when our end of its input closes, so that nothing outlives us,
/// however we end.
final class SshConnection implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);
    private static final Duration ANSWER = Duration.ofSeconds(5);

    /// How long a command waits for another one to end before it gets a connection of its own.
    private static final Duration QUEUED = Duration.ofSeconds(3);

    /// By default a server allows ten sessions in a connection. One of them is ours, one is spare.
    private static final int SESSIONS = 8;

    private static final String LOOK =
            "uname -s; cat /proc/sys/kernel/random/boot_id 2>/dev/null || echo; " + "printf '%s\\n' \"$SHELL\"; ";
    private static final String HOLD = "exec cat >/dev/null";

    /// The other machine's description of itself.
    ///
    /// @param system its kernel, such as `Linux`
    /// @param boot an id that changes with each start of the machine
    /// @param shell the path of the account's login shell
    /// @param folder whether the folder that was asked for exists
    record Facts(String system, String boot, String shell, boolean folder) {}

    private final SshClient client;
    private final Path socket;
    private final LocalProcess holder;
    private final Facts facts;
    private final Semaphore sessions = new Semaphore(SESSIONS, true);
    private volatile boolean doubtful; // set when a command was not served, cleared by the next check

    private SshConnection(SshClient client, Path socket, LocalProcess holder, Facts facts) {
        this.client = client;
        this.socket = socket;
        this.holder = holder;
        this.facts = facts;
    }

    /// Connects.
    ///
    /// @param folder the folder to check, as a word for the shell there
    /// @throws dev.talaria.api.SandboxException if that did not work; the message says why, and what
    ///     to do
    static SshConnection open(SshClient client, Path socket, String folder) {
        String mark = RandomMark.fresh();
        String look = LOOK + "(cd -- " + folder + ") 2>/dev/null && echo there || echo; " + HOLD;
        List<String> argv = client.sharing(socket, SshLine.script(look, mark));
        LocalProcess holder = LocalProcess.start(SshClient.command(argv));
        try {
            Client.Start said = Client.Start.of(new StreamAfterMark(holder.stderr(), mark), Client.Start.KEPT);
            Optional<Facts> facts = ask(new StreamAfterMark(holder.stdout(), mark));
            if (facts.isEmpty()) {
                Optional<Integer> status = holder.waitFor(Duration.ofMillis(500));
                throw SshDiagnosis.of(client.host(), new Client.Finished(status, said.text()));
            }
            SshDiagnosis.requireLinux(client.host(), facts.get().system());
            return new SshConnection(client, socket, holder, facts.get());
        } catch (RuntimeException e) {
            holder.close();
            throw e;
        } catch (InterruptedException e) {
            holder.close();
            Thread.currentThread().interrupt();
            throw Client.unavailable("Interrupted while connecting to " + client.host() + ". Try again.");
        }
    }

    private static Optional<Facts> ask(InputStream stdout) throws InterruptedException {
        CompletableFuture<Optional<Facts>> facts = new CompletableFuture<>();
        // platform: a pipe read holds its carrier
        Thread.ofPlatform().daemon().name("ssh-facts").start(() -> facts.complete(read(stdout)));
        try {
            return facts.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return Optional.empty();
        }
    }

    private static Optional<Facts> read(InputStream stdout) {
        String[] lines = new String[4];
        try {
            for (int i = 0; i < lines.length; i++) {
                StringBuilder line = new StringBuilder();
                for (int c = stdout.read(); c != '\n'; c = stdout.read()) {
                    if (c < 0 || line.length() > 4096) {
                        return Optional.empty();
                    }
                    line.append((char) c);
                }
                lines[i] = line.toString();
            }
            return Optional.of(new Facts(lines[0], lines[1], lines[2], !lines[3].isEmpty()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    Facts facts() {
        return facts;
    }

    /// Returns whether commands can still use the connection. After a command that was not served, it
    /// is tested.
    boolean usable() {
        if (doubtful && holder.alive()) {
            String mark = RandomMark.fresh();
            List<String> argv = client.through(socket, SshLine.script(":", mark));
            doubtful = !Client.run(SshClient.command(argv), ANSWER, Client.Start.KEPT)
                    .ended(0);
        }
        return !doubtful && holder.alive();
    }

    /// Notes that the connection must be tested before its next use.
    void doubt() {
        doubtful = true;
    }

    /// Starts the client of a command. If the connection is full, the command waits a little, and
    /// then gets a connection of its own: the others may run for days, and the waiting command may be
    /// the one to end them.
    LocalProcess start(String line) {
        try {
            if (!sessions.tryAcquire(QUEUED.toNanos(), TimeUnit.NANOSECONDS)) {
                return LocalProcess.start(SshClient.command(client.alone(line)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Client.unavailable("Interrupted while waiting for a connection to " + client.host() + ". Try again.");
        }
        try {
            LocalProcess process = LocalProcess.start(SshClient.command(client.through(socket, line)));
            process.whenEnded(sessions::release);
            return process;
        } catch (RuntimeException e) {
            sessions.release();
            throw e;
        }
    }

    /// Ends the connection as soon as nobody uses it any more.
    void release() {
        try {
            holder.stdin().close();
        } catch (IOException e) {
            // The holder has ended.
        }
    }

    /// Returns whether the connection has ended. Then releases its process.
    boolean tidied() {
        if (holder.alive()) {
            return false;
        }
        holder.close();
        return true;
    }

    /// Ends the connection at once, with all its commands.
    void abandon() {
        holder.close();
    }

    @Override
    public void close() {
        release();
        try {
            var _ = holder.waitFor(CLOSE_LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        holder.close();
        try {
            Files.deleteIfExists(socket);
        } catch (IOException e) {
            // Its folder will be removed.
        }
    }
}
