package dev.talaria.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// `talaria` as a process of its own, for what cannot be tried inside this JVM: signals, terminals, exit.
final class CliProcess implements AutoCloseable {
    private static final int MOST_SECONDS = 60;

    private final Process process;
    private final CompletableFuture<String> out;
    private final CompletableFuture<String> err;

    private CliProcess(Process process) {
        this.process = process;
        this.out = CompletableFuture.supplyAsync(() -> text(process.getInputStream()));
        this.err = CompletableFuture.supplyAsync(() -> text(process.getErrorStream()));
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

    /// Gives a process folders of its own, and none of the tests' variables.
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

    /// Waits until a file is there: the script has come so far.
    static void await(Path file) throws InterruptedException {
        for (int i = 0; i < MOST_SECONDS * 50 && !Files.exists(file); i++) {
            Thread.sleep(20);
        }
        if (!Files.exists(file)) {
            throw new AssertionError("The script never got to " + file);
        }
    }

    InProcess.Ended end() throws InterruptedException {
        if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("talaria did not end");
        }
        return new InProcess.Ended(process.exitValue(), out.join(), err.join());
    }

    private static String text(InputStream in) {
        try (in) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "(" + e.getMessage() + ")";
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
