package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Command;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// A command that has ended, with its whole output.
public final class Finished {
    private static final Duration LIMIT = Duration.ofSeconds(200);

    private final int status;
    private final byte[] stdout;
    private final byte[] stderr;

    private Finished(int status, byte[] stdout, byte[] stderr) {
        this.status = status;
        this.stdout = stdout;
        this.stderr = stderr;
    }

    public static Finished of(Sandbox sandbox, String... argv) {
        return of(sandbox, Command.of(argv), new byte[0]);
    }

    public static Finished of(Sandbox sandbox, Command command, byte[] input) {
        try (RunningProcess process = sandbox.start(command)) {
            CompletableFuture<byte[]> stdout = collect(process.stdout());
            CompletableFuture<byte[]> stderr = collect(process.stderr());
            feed(process.stdin(), input);
            Optional<Integer> status = process.waitFor(LIMIT);
            assertThat(status).as("exit of " + command.argv()).isPresent();
            return new Finished(status.orElseThrow(), stdout.join(), stderr.join());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void feed(OutputStream stdin, byte[] input) {
        try (stdin) {
            stdin.write(input);
        } catch (IOException e) {
            // The command did not read all input; its output is judged.
        }
    }

    private static CompletableFuture<byte[]> collect(InputStream stream) {
        CompletableFuture<byte[]> bytes = new CompletableFuture<>();
        // platform: a pipe read holds its carrier
        Thread.ofPlatform().daemon().start(() -> {
            try {
                bytes.complete(stream.readAllBytes());
            } catch (IOException e) {
                bytes.completeExceptionally(new UncheckedIOException(e));
            }
        });
        return bytes;
    }

    public int status() {
        return status;
    }

    byte[] stdout() {
        return stdout.clone();
    }

    public String out() {
        return new String(stdout, StandardCharsets.UTF_8);
    }

    public String err() {
        return new String(stderr, StandardCharsets.UTF_8);
    }

    /// Returns the output of both streams.
    public String said() {
        return out() + err();
    }
}
