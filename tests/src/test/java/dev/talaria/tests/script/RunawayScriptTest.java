package dev.talaria.tests.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.talaria.testkit.ChildJvm;
import dev.talaria.testkit.Processes;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import dev.talaria.testkit.Testbed;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Scripts on `local` that try to outlive their run, as an ordinary user and as the user of the tests.
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RunawayScriptTest {
    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

    /// Lists the Python processes above the script: its keeper first, the relay last.
    static final String ABOVE = """
            import os, signal, subprocess, sys, time
            def above():
                pids, pid = [], os.getppid()
                while pid > 1 and "python" in open("/proc/%d/comm" % pid).read():
                    pids.append(pid)
                    pid = int(open("/proc/%d/stat" % pid).read().rpartition(")")[2].split()[1])
                return pids
            """;

    @TempDir
    private Path folder;

    private ChildJvm start(boolean ordinary, RunTarget target, Map<String, Object> more) throws Exception {
        Optional<String> user = ordinary && ROOT ? Testbed.value("USER") : Optional.empty();
        Assumptions.assumeTrue(!ordinary || !ROOT || user.isPresent(), Testbed.whyMissing("user"));
        Assumptions.assumeTrue(ordinary || ROOT, "not root");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        return ChildJvm.start(target, folder, folder.toString(), user, Map.of(), more);
    }

    private List<Long> numbers(String file) throws Exception {
        await().atMost(Duration.ofSeconds(20)).until(() -> Files.exists(folder.resolve(file)));
        return Stream.of(Files.readString(folder.resolve(file)).strip().split("\\s+"))
                .map(Long::valueOf)
                .toList();
    }

    /// Returns a script that forks until it is refused, at most 3000 times. `forks` counts the successful ones.
    private static String bomb(boolean apart) {
        return """
                import mmap, os, struct, time
                with open("forks", "wb") as file:
                    file.write(bytes(8))
                file = open("forks", "r+b")
                shared = mmap.mmap(file.fileno(), 8)
                begun = lambda: struct.unpack("=q", shared[:8])[0]
                end = time.monotonic() + 20
                while time.monotonic() < end and begun() < 3000:
                    try:
                        if os.fork() == 0:
                            shared[:8] = struct.pack("=q", begun() + 1)
                            %s
                    except OSError:
                        time.sleep(0.001)
                time.sleep(100)
                """.formatted(apart ? "os.setsid()" : "pass");
    }

    /// Also with a small limit: each killed process once made room for a new one.
    @ParameterizedTest(name = "ordinary {0}, setsid {1}, limit {2}")
    @CsvSource({"true,false,50", "true,true,50", "true,true,20", "false,false,50", "false,true,50"})
    void aForkBombIsHeldByItsLimit(boolean ordinary, boolean apart, int most) throws Exception {
        try (ChildJvm jvm = start(ordinary, RunTargets.localUds(), Map.of("processes", most))) {
            Map<String, Object> result = jvm.run(bomb(apart));

            String told = String.valueOf(result);
            Map<?, ?> processes = (Map<?, ?>) ((Map<?, ?>) result.get("limits")).get("processes");
            Object bound = processes.get("bound");
            Assumptions.assumeTrue(!"counted".equals(bound), "nothing bounds root's processes here");
            assertThat(bound).isEqualTo(ordinary ? "approximate" : "exact");
            assertThat(String.valueOf(result.get("error"))).as(told).contains("processes");
            long forks = ByteBuffer.wrap(Files.readAllBytes(folder.resolve("forks")))
                    .order(ByteOrder.nativeOrder())
                    .getLong();
            assertThat(forks).isBetween(10L, most + 100L); // other processes of this user come and go
            assertThat(jvm.run("print('next')")).as(told).containsEntry("output", "next\n");
            assertThat(jvm.call("terminal", Map.of("command", "echo here"))).containsEntry("output", "here");
        }
    }

    @ParameterizedTest(name = "ordinary {0}")
    @ValueSource(booleans = {true, false})
    void whatAScriptLeftThatKilledKeeperAndRelayIsFound(boolean ordinary) throws Exception {
        try (ChildJvm jvm = start(ordinary, RunTargets.localUds(), Map.of())) {
            Map<String, Object> result = jvm.run(ABOVE + """
                    one = subprocess.Popen(["setsid", "-f", "sh", "-c", "echo $$ > ran; exec sleep 600"])
                    two = os.fork()
                    if two == 0:
                        os.setsid()
                        if os.fork():
                            os._exit(0)
                        open("forked.new", "w").write(str(os.getpid()))
                        os.rename("forked.new", "forked")
                        time.sleep(600)
                    while not (os.path.exists("ran") and open("ran").read() and os.path.exists("forked")):
                        time.sleep(0.01)
                    for pid in reversed(above()):
                        os.kill(pid, signal.SIGKILL)
                    time.sleep(600)
                    """);

            assertThat(Stream.concat(numbers("ran").stream(), numbers("forked").stream()))
                    .as("%s", result)
                    .noneMatch(Processes::lives);
            assertThat(String.valueOf(result.get("error"))).contains("as far as it can be found");
            assertThat(jvm.run("print('next')")).containsEntry("output", "next\n");
        }
    }

    /// A process without its environment is not found, and the result does not claim that it was.
    @ParameterizedTest(name = "ordinary {0}")
    @ValueSource(booleans = {true, false})
    void aResultClaimsNoEndThatIsNotKnown(boolean ordinary) throws Exception {
        try (ChildJvm jvm = start(ordinary, RunTargets.localUds(), Map.of())) {
            Map<String, Object> result = jvm.run(ABOVE + """
                    subprocess.run(["env", "-i", "setsid", "-f", "sh", "-c", "echo $$ > ran; exec sleep 600"])
                    while not (os.path.exists("ran") and open("ran").read()):
                        time.sleep(0.01)
                    for pid in above():
                        os.kill(pid, signal.SIGSTOP)
                    for pid in above():
                        os.kill(pid, signal.SIGKILL)
                    time.sleep(600)
                    """);

            boolean lives = numbers("ran").stream().anyMatch(Processes::lives);
            numbers("ran").forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
            assertThat(String.valueOf(result.get("error")))
                    .as("it lives: " + lives)
                    .contains("could live on");
        }
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"once", "again and again"})
    void stoppingAllThreeDoesNotLengthenARun(String how) throws Exception {
        try (ChildJvm jvm = start(true, RunTargets.localUds(), Map.of())) {
            String script = ABOVE + """
                    signal.signal(signal.SIGTERM, signal.SIG_IGN)
                    pids, again = above(), %s
                    open("stopped.new", "w").write(" ".join(map(str, pids)))
                    os.rename("stopped.new", "stopped")
                    while True:
                        for pid in pids:
                            os.kill(pid, signal.SIGSTOP)
                        if not again:
                            time.sleep(600)
                    """.formatted(how.equals("once") ? "False" : "True");
            // A busy machine may need longer until the script has stopped them.
            for (int seconds = 2; !Files.exists(folder.resolve("stopped")); seconds *= 2) {
                Map<String, Object> result =
                        jvm.begin(script, Map.of("timeout", seconds)).get(seconds + 60, TimeUnit.SECONDS);
                assertThat(result).containsEntry("status", "timeout");
            }
            assertThat(jvm.run("print('next')")).containsEntry("output", "next\n");
            if (how.equals("again and again")) {
                assertThat(numbers("stopped")).noneMatch(Processes::lives);
            }
        }
    }
}
