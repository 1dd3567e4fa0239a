package dev.talaria.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/// An SSH server of a test's own, with the testbed's keys: it may be stopped, killed and configured at will. Clients
/// come over a line that can be held and cut.
public final class SshServer implements AutoCloseable {
    private final Path folder;
    private final int port;
    private final SlowLink link;
    private Process sshd;

    private SshServer(Path folder, int port, SlowLink link, Process sshd) {
        this.folder = folder;
        this.port = port;
        this.link = link;
        this.sshd = sshd;
    }

    /// Starts a server.
    ///
    /// @param folder the folder for its files
    /// @param directives lines for its configuration, before the usual ones: the first one counts
    public static SshServer start(Path folder, String... directives) throws IOException {
        return start(folder, Duration.ZERO, directives);
    }

    public static SshServer start(Path folder, Duration delay, String... directives) throws IOException {
        return start(folder, delay, Long.MAX_VALUE, directives);
    }

    /// Starts one at the end of a slow line.
    ///
    /// @param delay how long a byte is on its way
    /// @param bytesPerSecond what the line carries, each way
    public static SshServer start(Path folder, Duration delay, long bytesPerSecond, String... directives)
            throws IOException {
        Assumptions.assumeTrue(Testbed.value("SSH_CONFIG").isPresent(), Testbed.whyMissing("ssh"));
        Path testbed = Path.of(Testbed.value("SSH_CONFIG").orElseThrow());
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Files.writeString(
                folder.resolve("sshd_config"),
                String.join("\n", directives) + "\n"
                        + Files.readString(testbed.resolveSibling("sshd_config"))
                                .replaceAll("(?m)^Port .*", "Port " + port));
        SlowLink link = SlowLink.to(port, delay, bytesPerSecond);
        SshServer server = new SshServer(folder, port, link, run(folder));
        server.configure(Files.readString(testbed.resolveSibling("known_hosts")));
        server.awaitPort();
        return server;
    }

    /// Returns the options for an account of the testbed's own server.
    ///
    /// @param kind its login shell, or what is odd about it
    public static Map<String, String> account(String kind) {
        String kinds = Testbed.value("SSH_SHELLS").orElse("");
        Assumptions.assumeTrue(List.of(kinds.split(" ")).contains(kind), Testbed.whyMissing("ssh_shells"));
        return Map.of(
                "host",
                Testbed.value("SSH_HOST").orElseThrow() + "-" + kind,
                "config",
                Testbed.value("SSH_CONFIG").orElseThrow());
    }

    private static Process run(Path folder) throws IOException {
        return new ProcessBuilder("/usr/sbin/sshd", "-D", "-e", "-f", folder + "/sshd_config")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("sshd.log").toFile()))
                .start();
    }

    /// Writes the configuration of clients, which then know these hosts. The port in them is replaced.
    public void configure(String knownHosts) throws IOException {
        Path hosts = folder.resolve("known_hosts");
        Files.writeString(hosts, knownHosts.replaceAll("]:\\d+", "]:" + link.port()));
        Files.writeString(
                folder.resolve("config"),
                Files.readString(Path.of(Testbed.value("SSH_CONFIG").orElseThrow()))
                        .replaceAll("Port .*", "Port " + link.port())
                        .replaceAll("UserKnownHostsFile .*", "UserKnownHostsFile " + hosts));
    }

    private void awaitPort() {
        Awaitility.await().atMost(30, TimeUnit.SECONDS).ignoreExceptions().until(() -> {
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            return true;
        });
    }

    public Path config() {
        return folder.resolve("config");
    }

    public Map<String, String> options() {
        return Map.of("host", Testbed.value("SSH_HOST").orElseThrow(), "config", config().toString());
    }

    public SlowLink link() {
        return link;
    }

    /// Kills the server and all that serves a connection, as a crash would.
    public void kill() {
        sshd.descendants()
                .filter(process -> process.info()
                        .command()
                        .filter(path -> path.endsWith("sshd"))
                        .isPresent())
                .forEach(ProcessHandle::destroyForcibly);
        sshd.destroyForcibly().onExit().join();
    }

    public void startAgain() throws IOException {
        sshd = run(folder);
        awaitPort();
    }

    public String log() throws IOException {
        return Files.readString(folder.resolve("sshd.log"));
    }

    @Override
    public void close() {
        link.close();
        kill();
    }
}
