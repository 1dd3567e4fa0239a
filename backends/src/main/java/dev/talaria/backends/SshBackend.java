package dev.talaria.backends;

import dev.talaria.api.Backend;
import dev.talaria.api.Isolation;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Another machine, entered by the OpenSSH client; `ssh_config`, agents, ProxyJump and multiplexing count as usual.
///
/// Options: `host` (a name of `ssh_config` or of the network), `config` (another `ssh_config`), `user`, `port`, `key`
/// (path of a private key). The login shell there must be a POSIX shell. Nothing is ever asked for: a key that needs a
/// passphrase must be in the agent, and the host must be a known one.
public final class SshBackend implements Backend {
    private static final Pattern CONNECTING = Pattern.compile("connect to (?:host|address) .* port \\d+: "
            + "|kex_exchange_identification: |Connection timed out during banner exchange");

    @Override
    public String name() {
        return "ssh";
    }

    @Override
    public Sandbox open(SandboxSpec spec) {
        Options options = Options.of(this, spec).allow("host", "config", "user", "port", "key");
        String host = options.requireName("host", "the name of a host, as you would write it after 'ssh'");
        List<String> ssh = client(options, host);
        PrefixSandbox.Prefix prefix = (argv, cwd) -> {
            List<String> client = new ArrayList<>(ssh);
            client.add(remote(argv, cwd.or(spec::cwd)));
            return client;
        };
        Client.Trial trial = Client.attempt(prefix.of(List.of("true"), Optional.empty()));
        if (!trial.ended(0)) {
            throw explain(host, trial);
        }
        // It keeps this machine safe, but it is a machine of somebody's, not one to throw away.
        return new PrefixSandbox("ssh:" + host, Isolation.MACHINE, prefix, () -> true, SshBackend::away);
    }

    private static List<String> client(Options options, String host) {
        List<String> ssh = new ArrayList<>();
        ssh.add(Client.locate("ssh", "Install the package openssh-client, or choose another backend."));
        options.find("config").ifPresent(file -> ssh.addAll(List.of("-F", file)));
        ssh.addAll(List.of("-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10"));
        options.find("port").ifPresent(port -> ssh.addAll(List.of("-p", port)));
        options.find("user").ifPresent(user -> ssh.addAll(List.of("-l", user)));
        options.find("key").ifPresent(key -> ssh.addAll(List.of("-i", key)));
        ssh.addAll(List.of("--", host));
        return List.copyOf(ssh);
    }

    /// Returns one line for the login shell over there. It stays to turn a death by signal into an exit
    /// code, which ssh does not report otherwise, and says nothing itself.
    private static String remote(List<String> argv, Optional<String> cwd) {
        String folder =
                cwd.map(path -> "cd -- " + ShellWords.quote(path) + " && ").orElse("");
        return folder + "exec 3>&2 2>/dev/null && (exec 2>&3 3>&- && exec " + ShellWords.quote(argv) + "); exit $?";
    }

    /// What the client says while it connects; a connection that breaks later is another matter.
    private static boolean away(Client.Trial trial) {
        return trial.ended(255) && CONNECTING.matcher(trial.said()).find();
    }

    private static SandboxException explain(String host, Client.Trial trial) {
        String said = trial.said();
        String step;
        if (said.contains("Permission denied")) {
            step = "Load your key into ssh-agent, or set the options user and key.";
        } else if (said.contains("Host key verification failed")) {
            step = "Connect once by hand with 'ssh " + host + "' and check its key.";
        } else if (said.contains("Could not resolve")) {
            step = "Check the name; it is looked up in ssh_config and in DNS.";
        } else if (trial.ended(255) || trial.status().isEmpty()) {
            step = "Check that the machine is up and 'ssh " + host + " true' works.";
        } else {
            step = "Its login shell must run commands: 'ssh " + host + " true' has to end with 0, not with "
                    + trial.status().map(String::valueOf).orElse("nothing") + ".";
        }
        String message = "The host " + host + " cannot be used (" + said + "). " + step;
        return away(trial) ? Client.away(message) : Client.unavailable(message);
    }
}
