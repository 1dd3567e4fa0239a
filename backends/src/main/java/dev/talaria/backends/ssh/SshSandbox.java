package dev.talaria.backends.ssh;

import dev.talaria.api.Command;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Isolation;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.backends.options.Options;
import dev.talaria.backends.process.Client;
import dev.talaria.backends.process.ShellWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Another machine. The next command renews a lost connection.
final class SshSandbox implements Sandbox {
    private final SshClient client;
    private final SshFolder folder;
    private final Optional<String> cwd;
    private final SshConnection.Facts first;
    private final List<SshConnection> earlier = new ArrayList<>(); // guarded by this: some may still be in use
    private SshConnection connection; // this one and all that follow: guarded by this
    private int attempts = 1; // each has a socket of its own: a lost connection leaves its file
    private boolean closed;
    private boolean rebooted;

    private SshSandbox(SshClient client, SshFolder folder, SandboxSpec spec, SshConnection connection) {
        this.client = client;
        this.folder = folder;
        this.cwd = spec.cwd().map(SshSandbox::word);
        this.connection = connection;
        this.first = connection.facts();
    }

    static SshSandbox open(SshClient client, SandboxSpec spec) {
        SshFolder folder = SshFolder.create(spec);
        try {
            SshConnection connection = SshConnection.open(
                    client, folder.socket(1), spec.cwd().map(SshSandbox::word).orElse("/"));
            if (!connection.facts().folder()) {
                connection.close();
                String wanted = spec.cwd().orElse("/");
                throw Options.refuse("There is no folder " + wanted + " to work in on the host " + client.host()
                        + ", or it is closed to you. Make it with 'ssh " + client.host() + " mkdir -p "
                        + ShellWords.quote(wanted) + "', or choose another one (--cwd).");
            }
            return new SshSandbox(client, folder, spec, connection);
        } catch (RuntimeException e) {
            folder.remove();
            throw e;
        }
    }

    /// Returns a folder as a word for the shell on the other machine, which knows the home there.
    private static String word(String path) {
        return path.equals("~") || path.startsWith("~/")
                ? "\"$HOME\"" + ShellWords.quote(path.substring(1) + "/")
                : ShellWords.quote(path);
    }

    @Override
    public String name() {
        return "ssh:" + client.host();
    }

    /// Commands cannot damage this machine, but the other one belongs to somebody, and is not one to
    /// throw away.
    @Override
    public Isolation isolation() {
        return Isolation.MACHINE;
    }

    @Override
    public boolean reachesHost() {
        return true;
    }

    @Override
    public boolean neverReached(int status, String said) {
        return SshDiagnosis.away(new Client.Finished(Optional.of(status), said));
    }

    @Override
    public synchronized boolean alive() {
        try {
            connection.doubt();
            current();
        } catch (SandboxException e) {
            // The machine is away, perhaps only for the moment.
        }
        return !rebooted;
    }

    /// Starts a command. A command with a folder is one of ours, and there may be many. Others get
    /// the environment of a login.
    @Override
    public RunningProcess start(Command command) {
        Client.refuseEnvironment(this, command);
        String mark = RandomMark.fresh();
        boolean login = command.cwd().isEmpty();
        Optional<String> folder = command.cwd().map(ShellWords::quote).or(() -> cwd);
        String line = SshLine.of(command.argv(), folder.map(SshLine::enter).orElse(""), mark, login);
        SshConnection shared = current();
        return new SshProcess(shared.start(line), mark, shared::doubt);
    }

    private synchronized SshConnection current() {
        if (closed) {
            throw new SandboxException(ErrorCode.SANDBOX_LOST, "The connection to " + client.host() + " was closed.");
        }
        if (!connection.usable()) {
            SshConnection fresh = SshConnection.open(client, folder.socket(++attempts), "/");
            connection.release(); // commands that still use it may go on, if it works after all
            earlier.add(connection);
            earlier.removeIf(SshConnection::tidied);
            connection = fresh;
            rebooted |= !fresh.facts().boot().equals(first.boot());
        }
        return connection;
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            earlier.forEach(SshConnection::abandon);
            connection.close();
            folder.remove();
        }
    }
}
