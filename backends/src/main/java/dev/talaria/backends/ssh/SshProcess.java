package dev.talaria.backends.ssh;

import dev.talaria.api.RunningProcess;
import dev.talaria.backends.process.LocalProcess;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;

/// A command on another machine, seen through its client here.
///
/// @param killed called when it did not end by itself
record SshProcess(LocalProcess client, InputStream stdout, InputStream stderr, Runnable killed)
        implements RunningProcess {

    SshProcess(LocalProcess client, String mark, Runnable killed) {
        this(client, new StreamAfterMark(client.stdout(), mark), new StreamAfterMark(client.stderr(), mark), killed);
    }

    @Override
    public OutputStream stdin() {
        return client.stdin();
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
