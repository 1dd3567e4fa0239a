package dev.talaria.bench;

import dev.talaria.engine.Engine;
import dev.talaria.engine.EngineBuilder;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A sandbox of the testbed, entered by our backend and by hand.
///
/// @param backend our backend's name
/// @param options that backend's settings
/// @param prefix the words in front of a command that run it there without us
/// @param link the link that leads there, if it is made slow on purpose
record RemoteSandbox(String backend, Map<String, String> options, List<String> prefix, Optional<SlowLink> link)
        implements AutoCloseable {

    private RemoteSandbox(String backend, Map<String, String> options, List<String> prefix) {
        this(backend, options, prefix, Optional.empty());
    }

    /// Finds the sandbox when a row is measured, not before: it may be missing.
    @FunctionalInterface
    interface Finder {
        RemoteSandbox find(BenchContext context) throws Row.Unavailable, IOException;
    }

    static RemoteSandbox docker() throws Row.Unavailable, IOException {
        return container("DOCKER_CONTAINER");
    }

    static RemoteSandbox gvisor() throws Row.Unavailable, IOException {
        return container("GVISOR_CONTAINER");
    }

    private static RemoteSandbox container(String name) throws Row.Unavailable, IOException {
        String container = Testbed.require(name);
        return new RemoteSandbox("docker", Map.of("container", container), List.of("docker", "exec", "-i", container));
    }

    static RemoteSandbox ssh() throws Row.Unavailable, IOException {
        return ssh(Testbed.require("SSH_CONFIG"));
    }

    private static RemoteSandbox ssh(String config) throws Row.Unavailable, IOException {
        String host = Testbed.require("SSH_HOST");
        return new RemoteSandbox(
                "ssh",
                Map.of("host", host, "config", config),
                List.of("ssh", "-F", config, "-T", "-o", "BatchMode=yes", "--", host));
    }

    /// Returns the same server behind a delay.
    static RemoteSandbox farSsh(BenchContext context, Duration roundTrip) throws Row.Unavailable, IOException {
        String config = Files.readString(Path.of(Testbed.require("SSH_CONFIG")));
        Matcher port = Pattern.compile("(?m)^ *Port (\\d+)$").matcher(config);
        if (!port.find()) {
            throw new Row.Unavailable("the testbed's ssh_config names no port");
        }
        InetSocketAddress server =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port.group(1)));
        SlowLink link = new SlowLink(server, roundTrip.dividedBy(2));
        // The server is known by its own key.
        String through =
                port.replaceAll("    Port " + link.port() + "\n    HostKeyAlias [127.0.0.1]:" + server.getPort());
        Path file = Files.writeString(context.folder().resolve("ssh_config"), through);
        RemoteSandbox ssh = ssh(file.toString());
        return new RemoteSandbox(ssh.backend, ssh.options, ssh.prefix, Optional.of(link));
    }

    /// Returns an Apptainer sandbox. By hand each command is a container of its own, since an
    /// instance belongs to our sandbox.
    static RemoteSandbox apptainer() throws Row.Unavailable, IOException {
        String program = Testbed.require("APPTAINER");
        String image = Testbed.require("APPTAINER_IMAGE");
        String scratch = Testbed.require("APPTAINER_SCRATCH");
        return new RemoteSandbox(
                "apptainer",
                Map.of("binary", program, "image", image, "scratch", scratch),
                List.of(program, "exec", "--containall", "--writable-tmpfs", "--bind", scratch + ":/tmp", image));
    }

    static RemoteSandbox bubblewrap() throws Row.Unavailable, IOException {
        Testbed.require("BWRAP");
        return new RemoteSandbox(
                "bubblewrap",
                Map.of(),
                List.of(
                        "bwrap",
                        "--ro-bind",
                        "/",
                        "/",
                        "--dev",
                        "/dev",
                        "--proc",
                        "/proc",
                        "--tmpfs",
                        "/tmp",
                        "--unshare-pid",
                        "--new-session"));
    }

    /// Returns a command that runs there without us.
    List<String> command(String... argv) {
        List<String> all = new ArrayList<>(prefix);
        all.addAll(List.of(argv));
        return all;
    }

    /// Returns a builder for an engine whose sandbox is there.
    EngineBuilder engine(BenchContext context) {
        return Engine.builder()
                .settings(Settings.defaults(Folders.below(context.folder())))
                .backend(backend, options);
    }

    /// Runs a script without a relay: makes a folder, sends the script, runs it, cleans up.
    void fourCommands(BenchContext context) throws IOException, InterruptedException {
        String folder = "/tmp/talaria-bench-" + ProcessHandle.current().pid();
        Child.run(command("mkdir", "-p", folder), context, "");
        Child.run(command("tee", folder + "/script.py"), context, Scripts.HELLO);
        Child.run(command("python3", folder + "/script.py"), context, "");
        Child.run(command("rm", "-r", folder), context, "");
    }

    @Override
    public void close() throws IOException {
        if (link.isPresent()) {
            link.get().close();
        }
    }
}
