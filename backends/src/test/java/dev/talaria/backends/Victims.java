package dev.talaria.backends;

import static org.awaitility.Awaitility.await;

import dev.talaria.testkit.Processes;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds processes in sandboxes from outside, wherever these are on this machine, and does to them what happens.
///
/// @param sleeper what a script of the sandbox runs and nobody else
public record Victims(String sleeper) {
    private static final Duration SOON = Duration.ofSeconds(60);

    public static Victims any() {
        return new Victims("6" + Math.abs(System.nanoTime() % 100_000_000));
    }

    /// Returns a script that goes on until it is ended.
    public String script() {
        return "import subprocess\nsubprocess.run(['sleep', '" + sleeper + "'])\n";
    }

    private Stream<Long> sleeping() {
        return Processes.below(0).entrySet().stream()
                .filter(process -> process.getValue().equals("sleep " + sleeper))
                .map(Map.Entry::getKey);
    }

    public boolean sleeps() {
        return sleeping().findAny().isPresent();
    }

    /// Returns the relay above the sleeper, as soon as that runs.
    public long relay() {
        await().atMost(SOON).until(this::sleeps);
        long pid = sleeping().findFirst().orElseThrow();
        return Stream.iterate(
                        ProcessHandle.of(pid), Optional::isPresent, handle -> handle.flatMap(ProcessHandle::parent))
                .map(handle -> handle.orElseThrow().pid())
                .filter(ancestor -> isRelay(Processes.commandLine(ancestor)))
                .reduce((_, higher) -> higher)
                .orElseThrow();
    }

    /// The mux alone has the whole loader in its command line, and Python in front of it.
    private static boolean isRelay(String line) {
        return line.contains("EARLY=b") && line.split(" ", 2)[0].contains("python");
    }

    static void signal(String name, long pid) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(pid)).start().waitFor();
    }

    public void awaitGone() {
        await().atMost(SOON).until(() -> !sleeps());
    }
}
