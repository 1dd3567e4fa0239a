package dev.talaria.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A program that answers lines with lines.
final class Child implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 10;

    private final List<String> argv;
    private final Process process;
    private final OutputStream in;
    private final BufferedReader out;

    Child(List<String> argv, BenchContext context) throws IOException {
        this(new ProcessBuilder(argv).redirectError(ProcessBuilder.Redirect.INHERIT), context);
    }

    private Child(ProcessBuilder builder, BenchContext context) throws IOException {
        argv = List.copyOf(builder.command());
        builder.directory(context.folder().toFile());
        builder.environment().clear();
        builder.environment().putAll(context.environment());
        process = builder.start();
        in = process.getOutputStream();
        out = process.inputReader(StandardCharsets.UTF_8);
    }

    long pid() {
        return process.pid();
    }

    String ask(String line) throws IOException {
        tell(line);
        return listen();
    }

    void tell(String line) throws IOException {
        in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        in.flush();
    }

    String listen() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException("It ended: " + String.join(" ", argv));
        }
        return line;
    }

    /// Runs a program to its end and returns its output, including stderr.
    static String run(List<String> argv, BenchContext context, String stdin) throws IOException, InterruptedException {
        try (Child child = new Child(new ProcessBuilder(argv).redirectErrorStream(true), context)) {
            try (OutputStream in = child.in) {
                in.write(stdin.getBytes(StandardCharsets.UTF_8));
            }
            String said = child.out.readAllAsString();
            int status = child.process.waitFor();
            if (status != 0) {
                throw new IOException("It ended with " + status + ": " + String.join(" ", argv) + "\n" + said);
            }
            return said;
        }
    }

    @Override
    public void close() throws IOException {
        try (out) {
            in.close();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
