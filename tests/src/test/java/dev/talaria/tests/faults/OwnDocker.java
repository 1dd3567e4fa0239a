package dev.talaria.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.testkit.DockerClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/// A Docker engine that a test may stop.
final class OwnDocker implements AutoCloseable {
    private final Path folder;
    private Process engine;

    private OwnDocker(Path folder) throws IOException {
        this.folder = folder;
        this.engine = run();
    }

    /// Starts an engine with the testbed's image, if that is possible here.
    static Optional<OwnDocker> start() throws IOException {
        Path folder = Files.createTempDirectory(Path.of("/var/tmp"), "talaria-docker-"); // for a short socket path
        OwnDocker docker = new OwnDocker(folder);
        if (!docker.answers()) {
            docker.close();
            return Optional.empty();
        }
        Files.writeString(docker.client(), "#!/bin/sh\nexec docker -H " + docker.address() + " \"$@\"\n");
        Files.setPosixFilePermissions(docker.client(), PosixFilePermissions.fromString("rwx------"));
        Process load = new ProcessBuilder(
                        "sh", "-c", "docker save '" + DockerClient.image() + "' | " + docker.client() + " load")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(load.onExit().join().exitValue()).isZero();
        return Optional.of(docker);
    }

    /// Returns a client of this engine.
    Path client() {
        return folder.resolve("docker");
    }

    private String address() {
        return "unix://" + folder + "/s";
    }

    private Process run() throws IOException {
        return new ProcessBuilder(
                        "dockerd",
                        "--data-root=" + folder + "/data",
                        "--exec-root=" + folder + "/exec",
                        "--host=" + address(),
                        "--pidfile=" + folder + "/pid",
                        "--bridge=none",
                        "--iptables=false")
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
    }

    private boolean answers() {
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> !engine.isAlive()
                        || DockerClient.docker("-H", address(), "info").status() == 0);
        return engine.isAlive();
    }

    void stop() {
        engine.destroy();
        engine.onExit().join();
    }

    void startAgain() throws IOException {
        engine = run();
        assertThat(answers()).isTrue();
    }

    List<String> containers() {
        return DockerClient.docker("-H", address(), "ps", "-aq").text().lines().toList();
    }

    @Override
    public void close() {
        stop();
        try {
            new ProcessBuilder("rm", "-rf", folder.toString()).start().onExit().join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
