package dev.talaria.tests.leaks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.talaria.api.Command;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxSpec;
import dev.talaria.testkit.Behaviour;
import dev.talaria.testkit.ChildJvm;
import dev.talaria.testkit.Processes;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The host's JVM is killed with -9 in the middle of its work. All its processes end everywhere.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostDeathLeakTest {
    /// The promised time after the kill, on a machine that is not busy. One of a few tries must keep it.
    private static final Duration PROMISED = Duration.ofSeconds(1);

    private static final int TRIES = 8;

    /// Starts a stray process, a command and a nested command, and writes down the ids of its keepers.
    private static final String BUSY = """
            import os, subprocess, threading, time
            from hermes_tools import terminal
            subprocess.Popen(["sleep", "600"])
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    open("stray", "w").write(str(os.getpid()))
                    time.sleep(600)
                os._exit(0)
            os.wait()
            threading.Thread(target=terminal, args=("echo $$ > nested; exec sleep 600",), daemon=True).start()
            while not (os.path.exists("stray") and open("stray").read() and os.path.exists("nested") and open("nested").read()):
                time.sleep(0.01)
            pids, pid = [int(open("stray").read()), int(open("nested").read())], os.getpid()
            while pid > 1 and "python" in open("/proc/%d/comm" % pid).read():
                pids.append(pid)
                pid = int(open("/proc/%d/stat" % pid).read().rpartition(")")[2].split()[1])
            open("pids.new", "w").write(" ".join(map(str, pids)) + " " + os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
            os.rename("pids.new", "pids")
            time.sleep(600)
            """;

    @ParameterizedTest(name = "{0}")
    @MethodSource("dev.talaria.testkit.RunTargets#oneOfEachKind")
    void aKilledHostLeavesNothingRunning(RunTarget target, @TempDir Path folder) throws Exception {
        target.missing().ifPresent(why -> {
            System.out.println("SKIPPED HostDeathLeakTest: " + why);
            Assumptions.abort(why);
        });
        boolean shared = target.behaviours().contains(Behaviour.SHARES_WORKING_FOLDER);
        String work = shared
                ? Files.createDirectories(folder.resolve("work")).toString()
                : "/tmp/talaria-contract-" + UUID.randomUUID();
        Duration took = PROMISED;
        for (int tries = 0; tries < TRIES && took.compareTo(PROMISED) >= 0; tries++) {
            took = untilAllEnded(target, folder.resolve("try-" + tries), work);
        }
        assertThat(took).isLessThan(PROMISED);
    }

    private static Duration untilAllEnded(RunTarget target, Path folder, String work) throws Exception {
        Files.createDirectories(folder);
        inSandbox(target, "mkdir", "-p", work);
        Map<Long, String> here = new HashMap<>();
        try (ChildJvm jvm = ChildJvm.start(target, folder, work, Optional.empty())) {
            var _ = jvm.begin(BUSY, Map.of("timeout", 100));
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> !inside(target, "cat", work + "/pids").isEmpty());
            List<String> words = List.of(inside(target, "cat", work + "/pids").split(" "));
            here.putAll(Processes.below(jvm.pid()));
            assertThat(here).isNotEmpty();
            here.putAll(Processes.inside(
                    work,
                    words.subList(0, words.size() - 1).stream()
                            .map(Long::valueOf)
                            .toList()));

            long killed = System.nanoTime();
            jvm.kill();
            while (here.keySet().stream().anyMatch(Processes::lives)
                    && since(killed).toSeconds() < 20) {
                Thread.sleep(Duration.ofMillis(5)); // a busy wait would take a core from the ending processes
            }

            Duration took = since(killed);
            await().atMost(Duration.ofSeconds(10)) // asking a sandbox for its processes takes longer than a second
                    .untilAsserted(() -> assertThat(left(target, words)).isEmpty());
            return took;
        } finally {
            here.keySet().stream().filter(Processes::lives).forEach(HostDeathLeakTest::end);
            inSandbox(target, "rm", "-rf", work);
        }
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    /// Returns what is left in the sandbox: processes and the staging folder.
    private static List<String> left(RunTarget target, List<String> words) {
        List<String> left = new ArrayList<>();
        if (!target.behaviours().contains(Behaviour.OWN_PROCESS_NUMBERS)) {
            String pids = String.join(" ", words.subList(0, words.size() - 1));
            String staging = words.getLast().startsWith("/tmp/talaria-") ? words.getLast() : "";
            inside(
                            target,
                            "sh",
                            "-c",
                            "for p in $1; do grep State /proc/$p/status; done; ls -d $2 /nothing",
                            "sh",
                            pids,
                            staging)
                    .lines()
                    .filter(line -> !line.contains("(zombie)"))
                    .forEach(left::add);
        }
        return left;
    }

    private static void end(long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    private static void inSandbox(RunTarget target, String... argv) {
        assertThat(inside(target, argv)).isNotNull();
    }

    /// Returns the output of a command in a new sandbox.
    private static String inside(RunTarget target, String... argv) {
        if (target.backend().equals("bubblewrap")) {
            return inside(RunTargets.localUds(), argv); // it shares the host's folders
        }
        try (Sandbox sandbox = target.find().open(new SandboxSpec(target.options()));
                RunningProcess process = sandbox.start(Command.of(argv))) {
            String printed = new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(Duration.ofSeconds(20))).isPresent();
            return printed;
        } catch (Exception e) {
            throw new IllegalStateException(String.join(" ", argv), e);
        }
    }
}
