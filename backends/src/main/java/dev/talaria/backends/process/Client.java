package dev.talaria.backends.process;

import dev.talaria.api.Command;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Reason;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Finds the command-line clients of sandboxes elsewhere, and runs trial commands with them.
public final class Client {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private Client() {}

    /// Returns the absolute path of a program. A name without a slash is searched on the PATH.
    ///
    /// @throws SandboxException if there is no such program
    public static String locate(String program, String remedy) {
        return find(program).orElseThrow(() -> unavailable("There is no program '" + program + "' here. " + remedy));
    }

    /// Returns the absolute path of a program, if it exists.
    public static Optional<String> find(String program) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/local/bin:/usr/bin:/bin");
        Stream<Path> candidates = program.indexOf('/') >= 0
                ? Stream.of(Path.of(program).toAbsolutePath())
                : Stream.of(path.split(":")).map(folder -> Path.of(folder, program));
        return candidates
                .filter(file -> file.isAbsolute() && Files.isExecutable(file) && !Files.isDirectory(file))
                .findFirst()
                .map(Path::toString);
    }

    /// Runs a command that should end soon.
    public static Finished attempt(List<String> argv) {
        return run(Command.of(argv), PATIENCE, Start.KEPT);
    }

    /// Returns the start of the output of a command that should end soon; nothing if it failed.
    public static Optional<String> output(List<String> argv) {
        return output(Command.of(argv));
    }

    public static Optional<String> output(Command command) {
        Finished finished = run(command, PATIENCE, Start.KEPT);
        return finished.ended(0) ? Optional.of(finished.printed()) : Optional.empty();
    }

    /// Returns the number of bytes that folders take up on the disk together; 0 if nobody can tell.
    public static long size(List<Path> folders) {
        List<String> du = new ArrayList<>(List.of("du", "-skc", "--"));
        folders.forEach(folder -> du.add(folder.toString()));
        String printed = folders.isEmpty() ? "0" : output(du).orElse("0");
        String total = printed.substring(printed.lastIndexOf('\n') + 1).split("\\s", 2)[0];
        return total.matches("\\d{1,15}") ? Long.parseLong(total) * 1024 : 0;
    }

    /// The result of a client's command.
    ///
    /// @param status the exit code; absent if it did not end in time and was killed
    /// @param printed the start of its stdout
    /// @param said the start of its stderr
    public record Finished(Optional<Integer> status, String printed, String said) {

        /// Makes the result of a command whose stdout nobody needs.
        public Finished(Optional<Integer> status, String said) {
            this(status, "", said);
        }

        public boolean ended(int code) {
            return status.filter(ended -> ended == code).isPresent();
        }
    }

    /// Runs a command to its end, or kills it when its time is over.
    ///
    /// @param most the number of bytes of each stream that are kept
    public static Finished run(Command command, Duration patience, int most) {
        try (LocalProcess process = LocalProcess.start(command)) {
            process.stdin().close();
            Start said = Start.of(process.stderr(), most);
            Start printed = Start.of(process.stdout(), most);
            Optional<Integer> status = process.waitFor(patience);
            if (status.isEmpty()) {
                process.kill();
            }
            return new Finished(status, printed.text(), said.text());
        } catch (IOException e) {
            return new Finished(Optional.empty(), Reason.of(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable("Interrupted while waiting for " + command.argv().getFirst() + ". Try again.");
        }
    }

    /// The start of a client's output. Reads on while the client runs, and drops the rest.
    public static final class Start {
        public static final int KEPT = 1 << 14;

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(); // guarded by itself
        private final CountDownLatch ended = new CountDownLatch(1);
        private final int most;

        private Start(int most) {
            this.most = most;
        }

        public static Start of(InputStream stream, int most) {
            Start start = new Start(most);
            // platform: a pipe read holds its carrier
            Thread.ofPlatform().daemon().name("client").start(() -> start.read(stream));
            return start;
        }

        private void read(InputStream stream) {
            byte[] buffer = new byte[8192];
            try {
                for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
                    bytes.write(buffer, 0, Math.min(count, most - Math.min(most, bytes.size())));
                }
            } catch (IOException e) {
                // The pipe was closed with its process; the bytes read so far count.
            } finally {
                ended.countDown();
            }
        }

        /// Returns the output. A client may leave a helper behind that keeps the pipe open (ssh's
        /// ControlPersist does), so the wait for the end is short.
        public String text() throws InterruptedException {
            boolean whole = ended.await(500, TimeUnit.MILLISECONDS);
            String text = bytes.toString(StandardCharsets.UTF_8).strip();
            return whole || !text.isEmpty() ? text : "it said nothing";
        }
    }

    /// Refuses an environment that a client could pass on only by its arguments.
    public static void refuseEnvironment(Sandbox sandbox, Command command) {
        if (command.environment().isPresent()) {
            throw new SandboxException(
                    ErrorCode.NOT_SUPPORTED,
                    "Sandbox " + sandbox.name() + " takes no environment with a command: values would show in the"
                            + " process list. Send them over stdin.");
        }
    }

    public static SandboxException unavailable(String message) {
        return new SandboxException(ErrorCode.BACKEND_UNAVAILABLE, message);
    }

    /// Returns the exception for a sandbox that exists but is away, perhaps only for a moment.
    public static SandboxException away(String message) {
        return SandboxException.passing(ErrorCode.BACKEND_UNAVAILABLE, message, null);
    }
}
