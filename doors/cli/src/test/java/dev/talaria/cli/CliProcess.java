package dev.talaria.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;

/// `talaria` as a process, for tests of signals, terminals and exit.
final class CliProcess implements AutoCloseable {
    private static final Duration MOST = Duration.ofSeconds(200);

    private final Process process;
    private final Printed out;
    private final Printed err;

    private CliProcess(Process process) {
        this.process = process;
        this.out = new Printed(process.getInputStream());
        this.err = new Printed(process.getErrorStream());
    }

    /// Returns the command line that starts the CLI with this JVM's class path.
    static List<String> command(String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.talaria.cli.Main"));
        command.addAll(List.of(args));
        return command;
    }

    /// Gives a process its own folders, without the variables of the tests.
    static void prepare(Map<String, String> environment, Path folder) {
        environment.keySet().removeIf(name -> name.startsWith("TALARIA_"));
        environment.put("HOME", folder.toString());
        environment.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        environment.put("XDG_STATE_HOME", folder.resolve("state").toString());
        environment.put("XDG_CACHE_HOME", folder.resolve("cache").toString());
    }

    static CliProcess start(Path folder, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        prepare(builder.environment(), folder);
        return new CliProcess(builder.start());
    }

    OutputStream stdin() {
        return process.getOutputStream();
    }

    long pid() {
        return process.pid();
    }

    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    /// Waits until the script has created a file.
    static void await(Path file) {
        Awaitility.await().atMost(MOST).until(() -> Files.exists(file));
    }

    /// Waits until the process has printed this text.
    void awaitOut(String text) {
        Awaitility.await().atMost(MOST).until(() -> out.text().contains(text));
    }

    /// Waits until the process has written this text to stderr.
    void awaitErr(String text) {
        Awaitility.await().atMost(MOST).until(() -> err.text().contains(text));
    }

    InProcess.CliResult end() throws InterruptedException {
        if (!process.waitFor(MOST)) {
            process.destroyForcibly();
            throw new AssertionError("talaria did not end");
        }
        return new InProcess.CliResult(process.exitValue(), out.whole(), err.whole());
    }

    /// The output of one stream.
    private static final class Printed {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(); // synchronized by itself
        private final CompletableFuture<Void> end;

        Printed(InputStream in) {
            end = CompletableFuture.runAsync(
                    () -> read(in), work -> Thread.ofPlatform().daemon().start(work));
        }

        private void read(InputStream in) {
            try (in) {
                in.transferTo(bytes);
            } catch (IOException e) {
                // The process was killed; the output so far counts.
            }
        }

        String text() {
            return bytes.toString(StandardCharsets.UTF_8);
        }

        String whole() {
            end.join();
            return text();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
