package dev.talaria.engine.job;

import dev.talaria.api.Command;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Runs a small command of our own in a sandbox and waits for it.
public final class ShortCommand {
    private static final int MAX_OUTPUT = 1 << 20;
    private static final Duration LINGER = Duration.ofMillis(500);

    private ShortCommand() {}

    /// The end of the command, and the first MiB of its output.
    public static final class Result {
        private final Optional<Integer> status;
        private final byte[] stdout;
        private final byte[] stderr;

        private Result(Optional<Integer> status, byte[] stdout, byte[] stderr) {
            this.status = status;
            this.stdout = stdout;
            this.stderr = stderr;
        }

        /// Returns the exit code; empty if the command took too long and was killed.
        public Optional<Integer> status() {
            return status;
        }

        public byte[] stdout() {
            return stdout.clone();
        }

        /// Returns the output for a message: stderr, or stdout if that is empty.
        public String said() {
            String text = new String(stderr, StandardCharsets.UTF_8).strip();
            text = text.isEmpty() ? new String(stdout, StandardCharsets.UTF_8).strip() : text;
            return text.substring(Math.max(0, text.length() - 2000)).replace('\0', ' ');
        }
    }

    /// Runs `argv` with `input` as all of its standard input, for at most `limit`.
    ///
    /// @throws dev.talaria.api.SandboxException if it could not be started
    public static Result run(Sandbox sandbox, List<String> argv, byte[] input, Duration limit) {
        return run(sandbox, argv, input, limit, Patience.endless());
    }

    /// Runs `argv` for at most `limit`, and not longer than the call that needs it can wait.
    ///
    /// @throws dev.talaria.api.SandboxException if it could not be started
    /// @throws GaveUpException if the call could not wait; then the command was killed
    public static Result run(Sandbox sandbox, List<String> argv, byte[] input, Duration limit, Patience patience) {
        try (RunningProcess process = sandbox.start(command(argv));
                var _ = patience.cancellation().onCancel(process::kill)) {
            Collector stdout = new Collector(process.stdout());
            Collector stderr = new Collector(process.stderr());
            // platform: a pipe write holds its carrier
            Thread.ofPlatform().daemon().name("short-input").start(() -> feed(process.stdin(), input));
            Optional<Integer> status =
                    process.waitFor(patience.deadline().atMost(limit).remaining());
            if (status.isEmpty()) {
                process.kill();
                patience.check();
            }
            return new Result(status, stdout.bytes(), stderr.bytes());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Result(Optional.empty(), new byte[0], "interrupted".getBytes(StandardCharsets.UTF_8));
        }
    }

    /// Returns a command of our own. It runs in the root folder, since a script may have removed the
    /// sandbox's folder.
    public static Command command(List<String> argv) {
        return new Command(argv, Optional.of("/"), Optional.empty());
    }

    /// Returns a message if a command seems to have ended because there is no Python.
    ///
    /// @param status its exit code; 0 if it is not known
    /// @param said its output
    public static Optional<String> withoutPython(Sandbox sandbox, int status, String said) {
        boolean missing = status == 126 || status == 127 || said.contains("not found") || said.contains("No such file");
        return missing
                ? Optional.of("There is no Python 3 in sandbox " + sandbox.name()
                        + ". Install python3 (3.8 or newer) there. " + said)
                : Optional.empty();
    }

    /// Writes all of a command's standard input; blocks while the command does not read.
    public static void feed(OutputStream stdin, byte[] input) {
        try (stdin) {
            stdin.write(input);
        } catch (IOException e) {
            // The command ended without reading everything; its exit code says why.
        }
    }

    private static final class Collector {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(); // synchronized by itself
        private final CountDownLatch ended = new CountDownLatch(1);

        Collector(InputStream stream) {
            // platform: a pipe read holds its carrier
            Thread.ofPlatform().daemon().name("short-output").start(() -> read(stream));
        }

        private void read(InputStream stream) {
            byte[] buffer = new byte[8192];
            try {
                for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
                    bytes.write(buffer, 0, Math.min(count, MAX_OUTPUT - bytes.size()));
                }
            } catch (IOException e) {
                // The stream was closed with its process; the bytes read so far count.
            } finally {
                ended.countDown();
            }
        }

        /// Returns the output. A client may leave a helper behind that keeps the pipe open, so the
        /// wait is short.
        byte[] bytes() throws InterruptedException {
            var _ = ended.await(LINGER.toNanos(), TimeUnit.NANOSECONDS);
            return bytes.toByteArray();
        }
    }
}
