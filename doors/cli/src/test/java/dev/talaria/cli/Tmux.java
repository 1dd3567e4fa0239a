package dev.talaria.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.talaria.testkit.Processes;
import dev.talaria.testkit.Testbed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/// A person at a terminal: a real tmux session with one shell. Tests type into it and read its screen.
final class Tmux implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(100);

    private final List<String> client;
    private final Path folder;

    private Tmux(List<String> client, Path folder) {
        this.client = client;
        this.folder = folder;
    }

    /// Opens a terminal in the folder, which is also the home folder there.
    static Tmux open(Path folder) throws IOException {
        assumeTrue(Testbed.value("TMUX").isPresent(), () -> Testbed.whyMissing("tmux"));
        List<String> client = List.of(
                Testbed.value("TMUX").orElseThrow(),
                "-S",
                folder.resolve("tmux.sock").toString(),
                "-f",
                "/dev/null");
        Tmux tmux = new Tmux(client, folder);
        tmux.run("new-session", "-d", "-x", "120", "-y", "40", "env", "PS1=$ ", "sh");
        return tmux;
    }

    /// Types `talaria` with these words, and Return.
    void talaria(String... words) throws IOException {
        String command =
                CliProcess.command(words).stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        Path script =
                Files.writeString(folder.resolve("talaria-" + System.nanoTime() + ".sh"), "exec " + command + "\n");
        type("sh " + script);
        press("Enter");
    }

    void type(String text) throws IOException {
        run("send-keys", "-l", "--", text);
    }

    /// Presses a key by tmux's name for it, such as `Enter` or `C-c`.
    void press(String key) throws IOException {
        run("send-keys", key);
    }

    /// Waits until the screen shows the text, and returns the screen.
    String shows(String text) {
        return Awaitility.await().atMost(PATIENCE).until(this::screen, screen -> screen.contains(text));
    }

    /// Waits until the screen matches the pattern, and returns the match.
    Matcher shows(Pattern pattern) {
        Matcher found = pattern.matcher(Awaitility.await()
                .atMost(PATIENCE)
                .until(this::screen, screen -> pattern.matcher(screen).find()));
        return found.find() ? found : pattern.matcher("");
    }

    /// Returns the screen, including lines that have scrolled off.
    String screen() throws IOException {
        return run("capture-pane", "-p", "-J", "-S", "-1000");
    }

    private String run(String... words) throws IOException {
        List<String> command = new ArrayList<>(client);
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        CliProcess.prepare(builder.environment(), folder);
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().remove("TMUX");
        builder.directory(folder.toFile());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException("tmux " + String.join(" ", words) + ": " + said);
        }
        return said;
    }

    @Override
    public void close() throws IOException {
        Set<Long> running = Processes.below(Long.parseLong(
                        run("display-message", "-p", "#{pane_pid}").strip()))
                .keySet();
        run("kill-server");
        // The programs there notice it and end. Until then they may write to the folder.
        Awaitility.await().atMost(PATIENCE).until(() -> running.stream().noneMatch(Processes::lives));
    }
}
