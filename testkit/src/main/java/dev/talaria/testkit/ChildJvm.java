package dev.talaria.testkit;

import dev.talaria.engine.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// An engine in a JVM of its own, which can be killed or belong to another user.
public final class ChildJvm implements AutoCloseable {
    private final Process process;
    private final Path errors;
    private volatile boolean ended; // written by its reader
    private final PrintStream stdin;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<Map<String, Object>>> waiting = new ConcurrentHashMap<>();

    private ChildJvm(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        this.stdin = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        // platform: a pipe read holds its carrier
        Thread.ofPlatform().daemon().name("child-jvm").start(this::read);
    }

    /// Starts an engine at a target.
    ///
    /// @param folder an absolute folder for the engine's files, which the user may enter
    /// @param work the working folder of scripts, as they see it
    /// @param user the user who owns the JVM; this process's user if absent
    public static ChildJvm start(RunTarget target, Path folder, String work, Optional<String> user) throws IOException {
        return start(target, folder, work, user, Map.of());
    }

    /// Starts an engine whose JVM has further variables in its environment.
    public static ChildJvm start(
            RunTarget target, Path folder, String work, Optional<String> user, Map<String, String> environment)
            throws IOException {
        return start(target, folder, work, user, environment, Map.of());
    }

    /// Starts an engine with further settings, as {@link ChildEngine} reads them.
    public static ChildJvm start(
            RunTarget target,
            Path folder,
            String work,
            Optional<String> user,
            Map<String, String> environment,
            Map<String, Object> more)
            throws IOException {
        Map<String, Object> setup = new LinkedHashMap<>(more);
        setup.put("backend", target.backend());
        setup.put("options", target.options());
        setup.put("transport", target.transport().name());
        setup.put("folder", work);
        setup.put("home", folder.resolve("home").toString());
        List<String> command = new ArrayList<>();
        if (user.isPresent()) {
            command.addAll(List.of("setpriv", "--reuid", user.get(), "--regid", user.get(), "--init-groups", "--"));
            command.addAll(List.of("env", "-i", "HOME=" + folder, "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"));
        }
        String classPath = user.isPresent() ? JavaCommand.copied(folder) : JavaCommand.classPath();
        command.addAll(JavaCommand.of(classPath, ChildEngine.class.getName(), Json.text(setup)));
        Path errors = Files.createTempFile("child-jvm", ".err");
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectError(errors.toFile());
        builder.environment().putAll(environment);
        return new ChildJvm(builder.start(), errors);
    }

    private void read() {
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                Map<String, Object> answer = Json.object(line);
                CompletableFuture<Map<String, Object>> waits =
                        answer.get("id") instanceof Integer id ? waiting.remove(id) : null;
                if (waits != null && answer.get("value") instanceof Map<?, ?> map) {
                    Map<String, Object> value = new LinkedHashMap<>();
                    map.forEach((key, content) -> value.put(String.valueOf(key), content));
                    waits.complete(value);
                }
            }
        } catch (IllegalArgumentException e) {
            System.err.println("A child JVM said what is no answer: " + e.getMessage());
            process.destroyForcibly();
        } catch (IOException e) {
            // The JVM was killed.
        } finally {
            ended = true;
            waiting.values().forEach(waits -> waits.completeExceptionally(gone()));
        }
    }

    private IllegalStateException gone() {
        try {
            String said = Files.readString(errors);
            return new IllegalStateException("the JVM has ended with "
                    + process.onExit().join().exitValue() + ": " + said.substring(Math.max(0, said.length() - 4000)));
        } catch (IOException e) {
            return new IllegalStateException("the JVM has ended", e);
        }
    }

    public long pid() {
        return process.pid();
    }

    /// Starts a script and returns its future result.
    public CompletableFuture<Map<String, Object>> begin(String code, Map<String, Object> more) {
        Map<String, Object> arguments = new LinkedHashMap<>(more);
        arguments.put("code", code);
        return send("execute_code", arguments);
    }

    /// Calls any tool and returns its result.
    public Map<String, Object> call(String tool, Map<String, Object> arguments) throws Exception {
        return send(tool, arguments).get(60, TimeUnit.SECONDS);
    }

    /// Calls any tool and returns its future result.
    public CompletableFuture<Map<String, Object>> send(String tool, Map<String, Object> arguments) {
        int id = ids.incrementAndGet();
        CompletableFuture<Map<String, Object>> result = new CompletableFuture<>();
        waiting.put(id, result);
        synchronized (stdin) {
            stdin.println(Json.text(Map.of("id", id, "tool", tool, "arguments", arguments)));
        }
        if (ended) { // its reader may have ended before
            result.completeExceptionally(gone());
        }
        return result;
    }

    /// Runs a script and returns its result.
    public Map<String, Object> run(String code) throws Exception {
        return begin(code, Map.of("timeout", 60)).get(90, TimeUnit.SECONDS);
    }

    /// Ends the JVM as `kill -9` does.
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        stdin.close();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                kill();
            }
            process.getInputStream().close();
            Files.deleteIfExists(errors);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
