package dev.talaria.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/// Docker's own client, for tests that look at containers from outside or do something to them.
public final class DockerClient {
    private DockerClient() {}

    /// How a run of the client ended.
    public record Output(int status, String text) {}

    /// Returns the testbed's image.
    public static String image() {
        return Testbed.value("DOCKER_IMAGE").orElseThrow();
    }

    public static Output docker(String... words) {
        return run(Stream.concat(Stream.of("docker"), Stream.of(words)).toList());
    }

    /// Runs a program that becomes the client.
    public static Output run(List<String> argv) {
        try {
            Process client = new ProcessBuilder(argv).redirectErrorStream(true).start();
            String text = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return new Output(client.waitFor(), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /// Returns whether there is a container of this name, running or not.
    public static boolean exists(String container) {
        return docker("inspect", "--format", "{{.Id}}", container).status() == 0;
    }
}
