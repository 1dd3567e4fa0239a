package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Finds the processes of a sandbox from outside, and sends signals to them.
///
/// @param sleeper the number of seconds in the command `sleep` that only this script runs
/// @param container the container to look into, if this machine does not see its processes
public record SandboxProcesses(String sleeper, Optional<String> container) {
    private static final Duration SOON = Duration.ofSeconds(60);

    /// Prints the number, the parent and the command line of each process that is no zombie.
    private static final String LIST = """
            import os
            for pid in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open("/proc/%s/stat" % pid) as stat, open("/proc/%s/cmdline" % pid) as line:
                        state, parent = stat.read().rpartition(")")[2].split()[:2]
                        if state not in "ZX":
                            print(pid, parent, line.read().replace("\\0", " ").replace("\\n", " "))
                except OSError:
                    pass
            """;

    public static SandboxProcesses any() {
        return new SandboxProcesses("6" + Math.abs(System.nanoTime() % 100_000_000), Optional.empty());
    }

    /// Looks into an existing container: this machine may not see its processes.
    public static SandboxProcesses at(RunTarget target) {
        return new SandboxProcesses(
                any().sleeper, Optional.ofNullable(target.options().get("container")));
    }

    /// Returns a script that goes on until it is ended.
    public String script() {
        return "import subprocess\nsubprocess.run(['sleep', '" + sleeper + "'])\n";
    }

    private record Seen(long parent, String line) {}

    private Map<Long, Seen> processes() {
        Map<Long, Seen> all = new HashMap<>();
        if (container.isEmpty()) {
            Processes.below(0)
                    .forEach((pid, line) -> all.put(
                            pid,
                            new Seen(
                                    ProcessHandle.of(pid)
                                            .flatMap(ProcessHandle::parent)
                                            .map(ProcessHandle::pid)
                                            .orElse(0L),
                                    line)));
            return all;
        }
        DockerClient.Output output = DockerClient.docker("exec", container.get(), "python3", "-c", LIST);
        assertThat(output.status()).as(output.text()).isZero();
        output.text().lines().map(line -> line.split(" ", 3)).forEach(words -> {
            all.put(Long.valueOf(words[0]), new Seen(Long.parseLong(words[1]), words[2].strip()));
        });
        return all;
    }

    public boolean sleeps() {
        return processes().values().stream().anyMatch(seen -> seen.line.equals("sleep " + sleeper));
    }

    public boolean lives(long pid) {
        return container.isEmpty() ? Processes.lives(pid) : processes().containsKey(pid);
    }

    /// Waits for the sleeper and returns the relay above it.
    public long relay() {
        await().atMost(SOON).until(this::sleeps);
        Map<Long, Seen> all = processes();
        long pid = all.entrySet().stream()
                .filter(one -> one.getValue().line.equals("sleep " + sleeper))
                .findFirst()
                .orElseThrow()
                .getKey();
        Optional<Long> highest = Optional.empty();
        for (Seen seen = all.get(pid); seen != null; seen = all.get(pid)) {
            if (isRelay(seen.line)) {
                highest = Optional.of(pid);
            }
            pid = seen.parent;
        }
        return highest.orElseThrow();
    }

    /// Returns whether a command line is the mux's: only that contains the whole loader, after Python.
    private static boolean isRelay(String line) {
        return line.contains("EARLY=b") && line.split(" ", 2)[0].contains("python");
    }

    /// Sends a signal to one of the processes.
    public void send(String name, long pid) throws IOException, InterruptedException {
        if (container.isEmpty()) {
            signal(name, pid);
        } else {
            DockerClient.docker("exec", container.get(), "sh", "-c", "kill -" + name + " " + pid);
        }
    }

    public static void signal(String name, long pid) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(pid)).start().waitFor();
    }

    public void awaitGone() {
        await().atMost(SOON).until(() -> !sleeps());
    }
}
