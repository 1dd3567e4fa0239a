package dev.talaria.backends.ssh;

import dev.talaria.api.RunningProcess;
import dev.talaria.backends.process.LocalProcess;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;

/// A command on another machine, seen through its client here.
final class SshProcess implements RunningProcess {
    private final LocalProcess client;
    private final InputStream stdout;
    private final InputStream stderr;
    private final Runnable killed;

    /// @param killed called when it did not end by itself
    SshProcess(LocalProcess client, String mark, Runnable killed) {
        this.client = client;
        this.stdout = new AfterMark(client.stdout(), mark);
        this.stderr = new AfterMark(client.stderr(), mark);
        this.killed = killed;
    }

    @Override
    public OutputStream stdin() {
        return client.stdin();
    }

    @Override
    public InputStream stdout() {
        return stdout;
    }

    @Override
    public InputStream stderr() {
        return stderr;
    }

    @Override
    public Optional<Integer> waitFor(Duration limit) throws InterruptedException {
        return client.waitFor(limit);
    }

    @Override
    public void kill() {
        if (client.alive()) {
            killed.run();
        }
        client.kill();
    }

    @Override
    public void close() {
        if (client.alive()) {
            killed.run();
        }
        client.close();
    }
}
