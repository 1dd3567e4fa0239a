package dev.talaria.backends.ssh;

import dev.talaria.testkit.SlowLink;
import dev.talaria.testkit.Testbed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/// A test's own SSH server with the testbed's keys. A test may stop, kill and configure it. Clients connect over a
/// line that can be held and cut.
final class SshServer implements AutoCloseable {
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
    static SshServer start(Path folder, String... directives) throws IOException {
        return start(folder, Duration.ZERO, directives);
    }

    static SshServer start(Path folder, Duration delay, String... directives) throws IOException {
        return start(folder, delay, Long.MAX_VALUE, directives);
    }

    /// @param bytesPerSecond the bandwidth of the line, each way
    static SshServer start(Path folder, Duration delay, long bytesPerSecond, String... directives) throws IOException {
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

    private static Process run(Path folder) throws IOException {
        return new ProcessBuilder("/usr/sbin/sshd", "-D", "-e", "-f", folder + "/sshd_config")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("sshd.log").toFile()))
                .start();
    }

    /// Writes these known hosts for clients. The port in them is replaced.
    void configure(String knownHosts) throws IOException {
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

    Path config() {
        return folder.resolve("config");
    }

    Map<String, String> options() {
        return Map.of("host", Testbed.value("SSH_HOST").orElseThrow(), "config", config().toString());
    }

    SlowLink link() {
        return link;
    }

    /// Kills the server and all its connections, as a crash would.
    void kill() {
        sshd.descendants()
                .filter(process -> process.info()
                        .command()
                        .filter(path -> path.endsWith("sshd"))
                        .isPresent())
                .forEach(ProcessHandle::destroyForcibly);
        sshd.destroyForcibly().onExit().join();
    }

    void startAgain() throws IOException {
        sshd = run(folder);
        awaitPort();
    }

    String log() throws IOException {
        return Files.readString(folder.resolve("sshd.log"));
    }

    @Override
    public void close() {
        link.close();
        kill();
    }
}
