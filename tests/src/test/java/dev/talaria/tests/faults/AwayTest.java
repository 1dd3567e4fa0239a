package dev.talaria.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.config.Transport;
import dev.talaria.testkit.ChildJvm;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.Testbed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The engine tries a sandbox that is away for a moment again until it is back.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AwayTest {
    @TempDir
    private Path folder;

    private Engine engine(Map<String, String> options) {
        return Engine.builder()
                .settings(Settings.defaults(Folders.below(folder.resolve("home"))))
                .backend("ssh", options)
                .build();
    }

    @Test
    void anSshServerThatComesUpLaterIsReached() throws Exception {
        Assumptions.assumeTrue(Testbed.value("SSH_HOST").isPresent(), Testbed.whyMissing("ssh"));
        ServerSocket busy = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Map<String, String> options =
                Map.of("host", Testbed.value("SSH_HOST").orElseThrow(), "config", config(busy.getLocalPort()));
        try (Engine engine = engine(options)) {
            CompletableFuture<ToolResult> result = CompletableFuture.supplyAsync(() ->
                    engine.call(ToolCall.of("terminal", Map.of("command", "echo ran >> " + folder + "/ran; echo 42"))));
            try (busy) {
                busy.accept().close(); // refuses the first attempt
            }
            Process sshd = new ProcessBuilder("/usr/sbin/sshd", "-D", "-f", folder + "/sshd_config")
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("sshd.log").toFile())
                    .start();
            try {
                assertThat(result.get().value()).containsEntry("output", "42").containsEntry("exit_code", 0);
                assertThat(folder.resolve("ran")).hasContent("ran");
            } finally {
                sshd.descendants().forEach(ProcessHandle::destroy);
                sshd.destroy();
                sshd.waitFor();
            }
        }
    }

    /// Writes the testbed's server and client configurations with another port. Returns the client's.
    private String config(int port) throws IOException {
        Path config = Path.of(Testbed.value("SSH_CONFIG").orElseThrow());
        Path hosts = folder.resolve("known_hosts");
        Files.writeString(
                hosts, Files.readString(config.resolveSibling("known_hosts")).replaceAll("]:\\d+", "]:" + port));
        Files.writeString(
                folder.resolve("sshd_config"),
                Files.readString(config.resolveSibling("sshd_config")).replaceAll("(?m)^Port .*", "Port " + port));
        return Files.writeString(
                        folder.resolve("config"),
                        Files.readString(config)
                                .replaceAll("Port .*", "Port " + port)
                                .replaceAll("UserKnownHostsFile .*", "UserKnownHostsFile " + hosts))
                .toString();
    }

    @Test
    void aCallWhoseTimeIsOverMeanwhileSaysWhatItWaitedFor() throws Exception {
        Assumptions.assumeTrue(Testbed.value("SSH_HOST").isPresent(), Testbed.whyMissing("ssh"));
        try (Engine engine = engine(Map.of("host", "127.0.0.1", "port", "1"))) {
            ToolResult result = engine.call(ToolCall.of("terminal", Map.of("command", "echo 42", "timeout", 1)));

            assertThat(result)
                    .isInstanceOfSatisfying(
                            ToolResult.Failed.class,
                            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.BACKEND_UNAVAILABLE));
            assertThat(result.value().keySet())
                    .containsExactly("output", "exit_code", "error", "status", "reason", "retry_hint");
            assertThat(result.value()).containsEntry("status", "degraded").containsEntry("exit_code", -1);
            assertThat(String.valueOf(result.value().get("error")))
                    .contains("Connection refused")
                    .contains("tried again");
        }
    }

    @Test
    void aDockerEngineThatComesUpLaterIsReached() throws Exception {
        Optional<String> container = Testbed.value("DOCKER_CONTAINER");
        Path socket = Path.of("/var/run/docker.sock");
        Assumptions.assumeTrue(container.isPresent(), Testbed.whyMissing("docker"));
        Assumptions.assumeTrue(Files.exists(socket), "The Docker engine is not at " + socket);
        Path client = folder.resolve("docker");
        Files.writeString(client, """
                #!/bin/sh
                asked="$(dirname "$0")/asked"
                [ -e "$asked" ] && exec /usr/bin/docker "$@"
                /usr/bin/docker "$@"
                status=$?
                : > "$asked"
                exit $status
                """);
        Files.setPosixFilePermissions(client, PosixFilePermissions.fromString("rwx------"));
        Path away = folder.resolve("engine.sock");
        RunTarget target = RunTarget.of("docker", Map.of("container", container.get()), Transport.STREAM);
        try (ChildJvm jvm = ChildJvm.start(
                target,
                folder,
                "/tmp",
                Optional.empty(),
                Map.of("DOCKER_HOST", "unix://" + away, "PATH", folder + ":" + System.getenv("PATH")))) {
            CompletableFuture<Map<String, Object>> result = jvm.begin("print(6 * 7)", Map.of());
            Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> Files.exists(folder.resolve("asked")));
            Files.createSymbolicLink(away, socket);

            assertThat(result.get()).containsEntry("output", "42\n");
        }
    }
}
