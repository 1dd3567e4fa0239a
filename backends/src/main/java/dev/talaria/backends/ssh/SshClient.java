package dev.talaria.backends.ssh;

import dev.talaria.api.Command;
import dev.talaria.api.SandboxSpec;
import dev.talaria.backends.options.Options;
import dev.talaria.backends.process.Client;
import dev.talaria.backends.process.ShellWords;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Builds the OpenSSH client's command lines. The user's own configuration counts, except for
/// settings that would disturb us or outlive us: their masters, ports, agents and displays, and
/// commands to run instead of ours.
///
/// @param host the name as a user would write it after `ssh`
/// @param words the program with the options of every use
record SshClient(String host, List<String> words) {
    /// Options for every use. Old clients ignore those that they do not know. All unknown options are
    /// ignored: only the first list of them counts, and the user's configuration may have one for
    /// words of other systems.
    private static final List<String> ALWAYS = List.of(
            "IgnoreUnknown=*",
            "BatchMode=yes",
            "ConnectTimeout=10",
            "LogLevel=ERROR",
            "ControlPersist=no",
            "RemoteCommand=none",
            "SessionType=default",
            "StdinNull=no",
            "ForkAfterAuthentication=no",
            "ClearAllForwardings=yes",
            "ForwardAgent=no",
            "ForwardX11=no",
            "ServerAliveCountMax=5");

    static SshClient of(SshBackend backend, SandboxSpec spec) {
        Options options = Options.of(backend, spec).allow("host", "config", "user", "port", "key");
        String host = options.requireName("host", "the name of a host, as you would write it after 'ssh'");
        List<String> words = new ArrayList<>();
        words.add(Client.locate("ssh", "Install the package openssh-client, or choose another backend."));
        options.find("config").ifPresent(file -> words.addAll(List.of("-F", file)));
        words.add("-T");
        ALWAYS.forEach(option -> words.addAll(List.of("-o", option)));
        words.addAll(
                List.of("-o", "ServerAliveInterval=" + backend.aliveInterval().toSeconds()));
        options.find("port").ifPresent(port -> words.addAll(List.of("-p", port)));
        options.find("user").ifPresent(user -> words.addAll(List.of("-l", user)));
        // Otherwise the agent would offer its other keys first, and a server refuses after a few.
        options.find("key").ifPresent(key -> words.addAll(List.of("-i", key, "-o", "IdentitiesOnly=yes")));
        if (new SshClient(host, words).asksAboutKeys()) {
            words.addAll(List.of("-o", "StrictHostKeyChecking=accept-new"));
        }
        return new SshClient(host, List.copyOf(words));
    }

    /// Returns whether the user's configuration asks about unknown host keys, which is the default:
    /// there is nobody to ask.
    private boolean asksAboutKeys() {
        return Client.output(command(with(List.of("-G"), List.of())))
                .filter(shown -> shown.lines().noneMatch("stricthostkeychecking ask"::equals))
                .isEmpty();
    }

    /// Returns the command line of a connection that others share by a socket.
    List<String> sharing(Path socket, String line) {
        return with(List.of("-o", "ControlMaster=yes", "-S", escaped(socket)), List.of(line));
    }

    /// Returns the command line of a client that shares a connection. If the connection takes no
    /// more, the client makes its own.
    List<String> through(Path socket, String line) {
        return with(List.of("-o", "ControlMaster=no", "-S", escaped(socket)), List.of(line));
    }

    /// Returns the command line of a client with a connection of its own.
    List<String> alone(String line) {
        return with(List.of("-o", "ControlMaster=no", "-S", "none"), List.of(line));
    }

    /// Returns the command line that ends a shared connection.
    List<String> end(Path socket) {
        return with(List.of("-o", "ControlMaster=no", "-S", escaped(socket), "-O", "exit"), List.of());
    }

    private List<String> with(List<String> options, List<String> command) {
        return ShellWords.joined(words, options, List.of("--", host), command);
    }

    private static String escaped(Path socket) {
        return socket.toString().replace("%", "%%");
    }

    /// Returns a command with the client's environment: ours without the locale. Most configurations send the locale
    /// along, and the other machine may not know it.
    static Command command(List<String> argv) {
        return new Command(argv, Optional.empty(), Optional.of(withoutLocale(System.getenv())));
    }

    static Map<String, String> withoutLocale(Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(environment);
        all.keySet().removeIf(name -> name.startsWith("LC_") || name.equals("LANG") || name.equals("LANGUAGE"));
        return all;
    }
}
