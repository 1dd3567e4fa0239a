package dev.talaria.backends.ssh;

import dev.talaria.api.Backend;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.backends.process.Client;
import java.time.Duration;

/// Runs commands on another machine, by the user's own OpenSSH client: `ssh_config`, agents and
/// ProxyJump count as usual.
///
/// Options: `host` (a name of `ssh_config` or of the network), `config` (another `ssh_config`),
/// `user`, `port`, `key` (path of a private key; no other is offered). The client never asks for
/// anything: a key with a passphrase must be in the agent. The key of a new host is stored, unless
/// the user's configuration is stricter.
public final class SshBackend implements Backend {
    private final Duration aliveInterval;

    /// A network failure of half a minute must not cost a run; a permanent one is detected.
    public SshBackend() {
        this(Duration.ofSeconds(15));
    }

    /// @param aliveInterval how often a silent server is asked for a sign of life; after five questions
    ///     without an answer the connection is dead
    SshBackend(Duration aliveInterval) {
        this.aliveInterval = aliveInterval;
    }

    Duration aliveInterval() {
        return aliveInterval;
    }

    @Override
    public String name() {
        return "ssh";
    }

    @Override
    public Sandbox open(SandboxSpec spec) {
        return SshSandbox.open(SshClient.of(this, spec), spec);
    }

    /// Nothing is left on the other machine: the holder of the connection ends with it, and so does
    /// the relay. Only a folder of this machine may be left.
    @Override
    public boolean leavesThings() {
        return true;
    }

    @Override
    public void remove(SandboxSpec spec) {
        SshFolder.find(spec).ifPresent(folder -> {
            try {
                SshClient client = SshClient.of(this, spec);
                folder.sockets().forEach(socket -> Client.attempt(client.end(socket)));
            } catch (SandboxException e) {
                // Without a client, nobody holds the sockets, either.
            }
            folder.remove();
        });
    }
}
