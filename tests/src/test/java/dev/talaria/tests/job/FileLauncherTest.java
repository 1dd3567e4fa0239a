package dev.talaria.tests.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.JobSpec.Bounds;
import dev.talaria.engine.job.file.FileLauncher;
import dev.talaria.engine.job.file.FileOptions;
import dev.talaria.testkit.SleepingProcesses;
import dev.talaria.testkit.TestSandbox;
import dev.talaria.testkit.TestSandboxes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Real scripts whose tool calls travel in files.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FileLauncherTest {
    private static final String PARALLEL_CALLS = """
            from concurrent.futures import ThreadPoolExecutor
            from hermes_tools import terminal
            with ThreadPoolExecutor(16) as pool:
                commands = list(pool.map(lambda n: terminal("number %d" % n)["args"]["command"], range(32)))
            print(commands == ["number %d" % n for n in range(32)])
            """;

    private static Sandbox local;

    @BeforeAll
    static void open() {
        local = TestSandboxes.local().open();
    }

    @AfterAll
    static void close() {
        local.close();
    }

    static Stream<TestSandbox> targets() {
        return Stream.of(
                TestSandboxes.local(),
                TestSandboxes.prefix(),
                TestSandboxes.bubblewrap(),
                TestSandboxes.dockerEntered(),
                TestSandboxes.ssh());
    }

    @ParameterizedTest
    @MethodSource("targets")
    void callsFromManyThreadsGetTheirOwnAnswers(TestSandbox target) throws Exception {
        target.missing().ifPresent(why -> {
            System.out.println("SKIPPED FileLauncherTest in " + target.backend() + ": " + why);
            Assumptions.abort(why);
        });
        Echo echo = new Echo();
        try (Sandbox sandbox = target.open()) {
            // Not the testbed's path: other sandboxes have their own Python.
            RecordedOutput run = RecordedOutput.start(
                    FileRuns.launcher(sandbox, echo, List.of("python3")), FileRuns.script(PARALLEL_CALLS));

            assertThat(run.exit().status().code()).as(run.err()).isEqualTo(OptionalInt.of(0));
            assertThat(run.out()).isEqualTo("True\n");
            assertThat(echo.requests()).hasSize(32);
            assertThat(echo.connections()).isEqualTo(1);
        }
    }

    @Test
    void theStubOfOldWorksWithoutAToken() throws Exception {
        FileOptions compatible = FileOptions.of(16 << 20, true);
        Echo echo = new Echo();

        RecordedOutput run = FileRuns.start(
                local, echo, compatible, FileRuns.script(PARALLEL_CALLS, FileRuns.OF_OLD, Bounds.none()));

        assertThat(run.exit().status().code()).as(run.err()).isEqualTo(OptionalInt.of(0));
        assertThat(run.out()).isEqualTo("True\n");
        assertThat(echo.requests()).allSatisfy(request -> assertThat(request).containsEntry("token", FileRuns.TOKEN));
    }

    @Test
    void callsAreInFlightTogetherAndAnsweredInAnyOrder() throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(5);
        Echo meeting = new Echo(request -> {
            try {
                // All calls must be here before the first answer: one at a time would never end.
                barrier.await(60, TimeUnit.SECONDS);
            } catch (Exception e) {
                return Map.of("error", e.toString());
            }
            return Map.of("args", request.get("args"));
        });

        RecordedOutput run =
                FileRuns.start(local, meeting, PARALLEL_CALLS.replace("16", "5").replace("32", "10"));

        assertThat(run.exit().status().code()).as(run.err()).isEqualTo(OptionalInt.of(0));
        assertThat(run.out()).isEqualTo("True\n");
    }

    @Test
    void aScriptFindsItsArgumentsFolderAndStubs() throws Exception {
        RecordedOutput run = FileRuns.start(local, new Echo(), """
                import os, stat, sys
                print(sys.argv[1:], os.path.basename(sys.argv[0]), __name__)
                print(os.path.samefile(os.getcwd(), os.path.dirname(sys.argv[0])))
                print(os.environ["PYTHONPATH"].endswith("/stubs:/no/such/path"))
                for name in (".", "rpc", "stubs", "script.py", "stubs/hermes_tools.py"):
                    print(oct(stat.S_IMODE(os.stat(name).st_mode)), end=" ")
                print()
                print(os.getcwd())
                """);

        assertThat(run.exit().status().code()).as(run.err()).isEqualTo(OptionalInt.of(0));
        List<String> lines = run.out().lines().toList();
        assertThat(lines.subList(0, 4))
                .containsExactly(
                        "['first', '-second arg'] script.py __main__",
                        "True",
                        "True",
                        "0o700 0o700 0o700 0o600 0o600 ");
        assertThat(Path.of(lines.getLast())).doesNotExist();
    }

    @Test
    void theTokenIsInNoCommandLine() throws Exception {
        RecordedOutput run = FileRuns.start(local, new Echo(), """
                import glob, os
                from hermes_tools import terminal
                terminal("x")
                found = []
                for path in glob.glob("/proc/[0-9]*/cmdline"):
                    try:
                        found += [path] if os.environ["HERMES_RPC_TOKEN"].encode() in open(path, "rb").read() else []
                    except OSError:
                        pass
                print(found)
                """);

        assertThat(run.exit().status().code()).as(run.err()).isEqualTo(OptionalInt.of(0));
        assertThat(run.out()).isEqualTo("[]\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 127, 129, 137, 255})
    void exitCodesAreExact(int code) throws Exception {
        RecordedOutput run = FileRuns.start(local, new Echo(), "import sys; sys.exit(%d)".formatted(code));

        assertThat(run.exit().status().code()).isEqualTo(OptionalInt.of(code));
        assertThat(run.exit().status().signal()).isEmpty();
        assertThat(run.exit().peak().memory()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 9, 11, 15})
    void signalsAreExact(int signal) throws Exception {
        RecordedOutput run = FileRuns.start(local, new Echo(), """
                import os, signal
                signal.signal(%1$d, signal.SIG_DFL) if %1$d != 9 else None
                os.kill(os.getpid(), %1$d)
                """.formatted(signal));

        assertThat(run.exit().status().signal()).isEqualTo(OptionalInt.of(signal));
        assertThat(run.exit().status().code()).isEmpty();
        assertThat(run.exit().status().lost()).isEmpty();
    }

    @Test
    void whatAScriptLeavesBehindIsEnded() throws Exception {
        SleepingProcesses sleepers = new SleepingProcesses();

        RecordedOutput run = FileRuns.start(local, new Echo(), """
                import subprocess
                subprocess.Popen("%1$s & (setsid %1$s &)", shell=True).wait()
                print("done")
                """.formatted(sleepers.command()));

        assertThat(run.exit().status().code()).isEqualTo(OptionalInt.of(0));
        assertThat(run.exit().leftovers().ended()).isEqualTo(2);
        assertThat(run.out()).isEqualTo("done\n");
        assertThat(sleepers.living()).isZero();
    }

    @Test
    void aKilledScriptLeavesItsOutputAndNoFolder() throws Exception {
        RecordedOutput run = FileRuns.start(local, new Echo(), """
                import os, signal, sys, time
                def asked(*_):
                    print("asked", flush=True)
                signal.signal(signal.SIGTERM, asked)
                print(os.getcwd(), flush=True)
                while True:
                    time.sleep(600)
                """);
        Awaitility.await().until(() -> run.out().endsWith("\n"));
        Path folder = Path.of(run.out().strip());
        assertThat(folder).exists();

        run.job().kill(Duration.ofMillis(500));

        assertThat(run.exit().status().signal()).isEqualTo(OptionalInt.of(9));
        assertThat(run.exit().status().lost()).isEmpty();
        assertThat(run.out()).endsWith("asked\n");
        assertThat(folder).doesNotExist();
    }

    @Test
    void aCallWithoutAnAnswerDoesNotHoldTheEnd() throws Exception {
        Echo never = new Echo(_ -> {
            try {
                Thread.sleep(Duration.ofMinutes(5));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Map.of();
        });

        RecordedOutput run = FileRuns.start(local, never, """
                import os, threading, time
                from hermes_tools import terminal
                threading.Thread(target=terminal, args=("x",), daemon=True).start()
                while not any(name.startswith("claim_") for name in os.listdir(os.environ["HERMES_RPC_DIR"])):
                    time.sleep(0.01)
                """);

        assertThat(run.exit().status().code()).as(run.err()).isEqualTo(OptionalInt.of(0));
    }

    @Test
    void tooManyProcessesEndTheScript() throws Exception {
        Bounds bounds = new Bounds(Optional.empty(), Optional.of(4));

        RecordedOutput run =
                FileRuns.start(local, new Echo(), FileRuns.USUAL, FileRuns.script("""
                import subprocess
                children = [subprocess.Popen(["sleep", "600"]) for _ in range(8)]
                children[0].wait()
                """, FileRuns.OURS, bounds));

        assertThat(run.exit().overLimit()).contains("processes");
        assertThat(run.exit().peak().processes().orElseThrow()).isGreaterThan(4);
        assertThat(run.exit().status().signal()).isEqualTo(OptionalInt.of(9));
    }

    @Test
    void memoryIsLimited() throws Exception {
        Bounds bounds = new Bounds(Optional.of(512L << 20), Optional.empty());

        RecordedOutput run = FileRuns.start(
                local, new Echo(), FileRuns.USUAL, FileRuns.script("x = bytearray(1 << 30)", FileRuns.OURS, bounds));

        assertThat(run.exit().status().code()).isEqualTo(OptionalInt.of(1));
        assertThat(run.err()).contains("MemoryError");
    }

    @Test
    void aScriptThatKillsItsParentIsEndedAndSaid() throws Exception {
        SleepingProcesses sleepers = new SleepingProcesses();
        RecordedOutput run = FileRuns.start(local, new Echo(), """
                import os, subprocess
                child = subprocess.Popen("%s".split())
                os.kill(os.getppid(), 9)
                child.wait()
                """.formatted(sleepers.command()));

        assertThat(run.exit().status().lost()).isPresent();
        assertThat(sleepers.living()).isZero();
    }

    @Test
    void withoutPythonItSaysWhatToInstall() {
        FileLauncher launcher = FileRuns.launcher(local, new Echo(), List.of("no-such-python"));
        JobSpec.Script script = FileRuns.script("print()");

        assertThatThrownBy(() -> RecordedOutput.start(launcher, script))
                .isInstanceOfSatisfying(
                        SandboxException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PYTHON_MISSING))
                .hasMessageContaining("Install python3");
    }

    @Test
    void programsAreStartedDirectly() throws Exception {
        RecordedOutput run = RecordedOutput.start(
                FileRuns.launcher(local, new Echo(), FileRuns.PYTHON), JobSpec.Program.of(List.of("echo", "hi")));

        assertThat(run.exit().status().code()).isEqualTo(OptionalInt.of(0));
        assertThat(run.out()).isEqualTo("hi\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "bubblewrap"})
    void aScriptMayRemoveTheSandboxsWorkingFolder(String backend) throws Exception {
        TestSandbox target = backend.equals("local") ? TestSandboxes.local() : TestSandboxes.bubblewrap();
        Assumptions.assumeTrue(
                target.missing().isEmpty(), () -> target.missing().orElse(""));
        Path workspace = Files.createTempDirectory(Path.of(System.getProperty("user.dir"), "target"), "workspace");
        try (Sandbox sandbox = target.find().open(SandboxSpec.empty().in(workspace.toString()))) {
            RecordedOutput run = FileRuns.start(sandbox, new Echo(), """
                    import os
                    from hermes_tools import terminal
                    try:
                        os.rmdir("%s")
                    except OSError:
                        pass  # a mount point stays
                    print(terminal("after")["args"]["command"])
                    print(os.getcwd())
                    """.formatted(workspace));

            assertThat(run.exit().status().code()).as(run.err()).isEqualTo(OptionalInt.of(0));
            assertThat(run.out()).startsWith("after\n");
            assertThat(Path.of(run.out().lines().toList().getLast())).doesNotExist();
        } finally {
            Files.deleteIfExists(workspace);
        }
    }

    @Test
    void runsLeaveNoFolder() throws Exception {
        assertThat(FileRuns.start(local, new Echo(), "import shutil, os; shutil.rmtree(os.getcwd())")
                        .exit()
                        .status()
                        .code())
                .isEqualTo(OptionalInt.of(0));
        RecordedOutput locked = FileRuns.start(local, new Echo(), """
                import os
                os.makedirs("a/b/c")
                open("a/b/c/file", "w").close()
                os.symlink("/etc", "a/b/link")
                os.chmod("a/b", 0)
                print(os.getcwd())
                """);

        locked.exit();
        assertThat(Path.of(locked.out().strip())).doesNotExist();
        assertThat(Files.isDirectory(Path.of("/etc"))).isTrue();
    }
}
