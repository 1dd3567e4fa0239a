package dev.talaria.tests.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.talaria.api.Command;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Isolation;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.job.Exit;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.JobSpec.Bounds;
import dev.talaria.engine.job.direct.DirectLauncher;
import dev.talaria.testkit.SleepingProcesses;
import dev.talaria.testkit.TestSandbox;
import dev.talaria.testkit.TestSandboxes;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Programs without a relay, in every sandbox of the testbed.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DirectLauncherTest {
    private static final Map<String, String> VARIABLES = Map.of("PATH", "/usr/bin:/bin", "ODD", "a 'b'\n$c");

    static Stream<TestSandbox> targets() {
        return Stream.of(
                TestSandboxes.local(),
                TestSandboxes.prefix(),
                TestSandboxes.bubblewrap(),
                TestSandboxes.dockerEntered(),
                TestSandboxes.ssh());
    }

    private static Sandbox open(TestSandbox target) {
        target.missing().ifPresent(why -> {
            System.out.println("SKIPPED DirectLauncherTest in " + target.backend() + ": " + why);
            Assumptions.abort(why);
        });
        return target.open();
    }

    private static JobSpec.Program shell(String script) {
        return program(List.of("sh", "-c", script), false);
    }

    private static JobSpec.Program program(List<String> argv, boolean stdin) {
        return new JobSpec.Program(argv, stdin, in(Optional.of("/usr"), Bounds.none()), Optional.empty());
    }

    private static JobSpec.Surroundings in(Optional<String> folder, Bounds bounds) {
        return new JobSpec.Surroundings(VARIABLES, false, folder, bounds);
    }

    private static RecordedOutput run(Sandbox sandbox, JobSpec.Program program) throws Exception {
        RecordedOutput recorded = RecordedOutput.start(new DirectLauncher(sandbox), program);
        recorded.exit();
        return recorded;
    }

    @ParameterizedTest
    @MethodSource("targets")
    void outputExitFolderAndEnvironmentAreAsAsked(TestSandbox target) throws Exception {
        try (Sandbox sandbox = open(target)) {
            RecordedOutput recorded =
                    run(sandbox, shell("echo $(pwd); printf '%s' \"$ODD\"; echo err >&2; env | grep -c . >&2; exit 3"));

            assertThat(recorded.out()).isEqualTo("/usr\na 'b'\n$c");
            assertThat(recorded.err()).isEqualTo("err\n5\n"); // ODD is two lines; PATH, PWD and our mark
            Exit exit = recorded.exit();
            assertThat(exit.status().code()).isEqualTo(OptionalInt.of(3));
            assertThat(exit.leftovers().ended()).isZero();
            assertThat(exit.leftovers().drainIncomplete()).isFalse();
            assertThat(exit.leftovers().wholeTree()).isFalse();
            assertThat(exit.status().lost()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("targets")
    void whatIsLeftBehindNeitherHangsNorSurvives(TestSandbox target) throws Exception {
        try (Sandbox sandbox = open(target)) {
            SleepingProcesses sleepers = new SleepingProcesses();
            RecordedOutput recorded = run(sandbox, shell("$S & (setsid $S &)".replace("$S", sleepers.command())));

            assertThat(recorded.exit().status().code()).isEqualTo(OptionalInt.of(0));
            assertThat(recorded.exit().leftovers().ended()).isEqualTo(2);
            assertThat(recorded.exit().leftovers().survivors()).isEmpty();
            assertThat(sleepers.living()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("targets")
    void standardInputIsPassedOnAndEnds(TestSandbox target) throws Exception {
        byte[] bytes = new byte[200_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 7 + i / 256);
        }
        try (Sandbox sandbox = open(target)) {
            RecordedOutput recorded = RecordedOutput.start(new DirectLauncher(sandbox), program(List.of("cat"), true));
            recorded.job().write(ByteBuffer.wrap(bytes));
            recorded.job().endInput();

            assertThat(recorded.exit().status().code()).isEqualTo(OptionalInt.of(0));
            assertThat(recorded.bytes()).isEqualTo(bytes);
        }
    }

    @ParameterizedTest
    @MethodSource("targets")
    void killEndsTheWholeTree(TestSandbox target) throws Exception {
        try (Sandbox sandbox = open(target)) {
            SleepingProcesses sleepers = new SleepingProcesses();
            RecordedOutput recorded = RecordedOutput.start(
                    new DirectLauncher(sandbox),
                    shell("trap '' TERM; $S & (setsid $S &); while :; do $S; done".replace("$S", sleepers.command())));
            Awaitility.await().until(() -> sleepers.living() == 3);

            recorded.job().kill(Duration.ofMillis(200));

            assertThat(recorded.exit().status().signal()).isEqualTo(OptionalInt.of(9));
            assertThat(recorded.exit().status().lost()).isEmpty();
            assertThat(sleepers.living()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("targets")
    void nothingOutlivesAKilledJvm(TestSandbox target) throws Exception {
        open(target).close();
        for (String kind : List.of("program", "script")) {
            SleepingProcesses sleepers = new SleepingProcesses();
            Process jvm = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            "dev.talaria.tests.job.DoomedJvm",
                            target.backend(),
                            kind,
                            sleepers.command())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String folder = jvm.inputReader().readLine();
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> sleepers.living() == 3);

            jvm.destroyForcibly();

            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> sleepers.living() == 0);
            if (kind.equals("script") && target.backend().equals("local")) {
                Awaitility.await().until(() -> Files.notExists(Path.of(folder)));
            }
        }
    }

    @Test
    void aTreeIsAskedBeforeItIsKilled() throws Exception {
        try (Sandbox sandbox = TestSandboxes.local().open()) {
            RecordedOutput recorded = RecordedOutput.start(
                    new DirectLauncher(sandbox), shell("trap 'echo asked; exit 9' TERM; echo ready; sleep 600 & wait"));
            Awaitility.await().until(() -> recorded.out().startsWith("ready"));

            recorded.job().kill(Duration.ofSeconds(30));

            assertThat(recorded.exit().status().code()).isEqualTo(OptionalInt.of(9));
            assertThat(recorded.out()).isEqualTo("ready\nasked\n");
        }
    }

    @Test
    void signalsAreReported() throws Exception {
        try (Sandbox sandbox = TestSandboxes.local().open()) {
            RecordedOutput recorded = run(sandbox, shell("kill -SEGV $$"));

            assertThat(recorded.exit().status().signal()).isEqualTo(OptionalInt.of(11));
            assertThat(recorded.err()).isEmpty();
        }
    }

    @Test
    void aMissingFolderAndAMissingProgramAreNamed() throws Exception {
        try (Sandbox sandbox = TestSandboxes.local().open()) {
            JobSpec.Program lost = program(List.of("true"), false).in("/no/such folder");

            assertThat(run(sandbox, lost).exit().status().notStarted())
                    .hasValueSatisfying(why -> assertThat(why).contains("/no/such folder"));
            RecordedOutput missing = run(sandbox, program(List.of("no-such-program"), false));
            assertThat(missing.exit().status().code()).isEqualTo(OptionalInt.of(127));
            assertThat(missing.err()).isEqualTo("no-such-program: not found\n");
        }
    }

    @Test
    void memoryIsLimited() throws Exception {
        JobSpec.Program program = new JobSpec.Program(
                List.of("sh", "-c", "ulimit -v"),
                false,
                in(Optional.empty(), new Bounds(Optional.of(512L << 20), Optional.empty())),
                Optional.empty());
        try (Sandbox sandbox = TestSandboxes.local().open()) {
            assertThat(run(sandbox, program).out()).isEqualTo("524288\n");
        }
    }

    @Test
    void aLimitOfProcessesIsRefused() {
        Bounds bounds = new Bounds(Optional.empty(), Optional.of(3));
        JobSpec.Program program =
                new JobSpec.Program(List.of("true"), false, in(Optional.empty(), bounds), Optional.empty());
        try (Sandbox sandbox = TestSandboxes.local().open()) {
            assertThatThrownBy(() -> RecordedOutput.start(new DirectLauncher(sandbox), program))
                    .isInstanceOfSatisfying(
                            SandboxException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED));
        }
    }

    @Test
    void valuesAreNotInAnyCommandLine() throws Exception {
        String secret = "s3cret-" + System.nanoTime();
        JobSpec.Program program = new JobSpec.Program(
                List.of("sh", "-c", "cat /proc/[0-9]*/cmdline; echo; echo $SECRET"),
                false,
                new JobSpec.Surroundings(
                        Map.of("PATH", "/usr/bin:/bin", "SECRET", secret), false, Optional.empty(), Bounds.none()),
                Optional.empty());
        try (Sandbox sandbox = TestSandboxes.local().open()) {
            String out = run(sandbox, program).out();

            assertThat(out).endsWith("\n" + secret + "\n");
            assertThat(out.substring(0, out.length() - secret.length() - 1)).doesNotContain(secret);
        }
    }

    @Test
    void whatALoginShellPrintsIsNotOutput() throws Exception {
        TestSandbox noisy = TestSandbox.of(
                "prefix", Map.of("prefix", "sh -c 'echo noise; echo noise >&2; exec \"$@\"' sh"), Isolation.NONE);
        try (Sandbox sandbox = noisy.open()) {
            RecordedOutput recorded = run(sandbox, shell("echo out; echo err >&2"));

            assertThat(recorded.out()).isEqualTo("out\n");
            assertThat(recorded.err()).isEqualTo("err\n");
        }
    }

    @Test
    void aProgramThatKillsItsShellIsEndedAndSaid() throws Exception {
        try (Sandbox sandbox = TestSandboxes.local().open()) {
            SleepingProcesses sleepers = new SleepingProcesses();
            RecordedOutput recorded =
                    run(sandbox, shell("(setsid $S &); kill -9 $PPID; $S".replace("$S", sleepers.command())));

            assertThat(recorded.exit().status().lost()).isPresent();
            assertThat(recorded.exit().leftovers().ended()).isGreaterThanOrEqualTo(2);
            assertThat(sleepers.living()).isZero();
        }
    }

    @Test
    void aSandboxThatRunsNothingIsLost() {
        try (Sandbox local = TestSandboxes.local().open();
                Sandbox broken = new Broken(local)) {
            RecordedOutput recorded = RecordedOutput.start(new DirectLauncher(broken), shell("echo hi"));

            assertThatThrownBy(recorded::exit)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            SandboxException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SANDBOX_LOST))
                    .hasMessageContaining("no route to anywhere");
        }
    }

    /// A client that fails, like one whose machine has gone.
    private record Broken(Sandbox local) implements Sandbox {
        @Override
        public String name() {
            return "broken";
        }

        @Override
        public Isolation isolation() {
            return Isolation.MACHINE;
        }

        @Override
        public boolean sharesHost() {
            return false;
        }

        @Override
        public RunningProcess start(Command command) {
            return local.start(Command.of("sh", "-c", "echo no route to anywhere >&2; exit 255"));
        }

        @Override
        public void close() {}
    }

    @Test
    void fiftyJobsEndTheirOwnChildrenOnly() throws Exception {
        try (Sandbox sandbox = TestSandboxes.local().open()) {
            Path gate = Files.createTempFile("talaria-gate", "");
            List<SleepingProcesses> children = new ArrayList<>();
            List<RecordedOutput> jobs = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                SleepingProcesses sleepers = new SleepingProcesses();
                children.add(sleepers);
                String wait = i == 0 ? "while [ -e " + gate + " ]; do sleep 0.05; done" : "sleep 0.2";
                jobs.add(RecordedOutput.start(
                        new DirectLauncher(sandbox), shell("(setsid " + sleepers.command() + " &); " + wait)));
            }
            Awaitility.await().until(() -> children.getFirst().living() == 1);
            for (int i = 1; i < 50; i++) {
                assertThat(jobs.get(i).exit().leftovers().ended()).isEqualTo(1);
                assertThat(children.get(i).living()).isZero();
            }

            assertThat(children.getFirst().living()).isEqualTo(1);
            Files.delete(gate);
            assertThat(jobs.getFirst().exit().leftovers().ended()).isEqualTo(1);
            assertThat(children.getFirst().living()).isZero();
        }
    }
}
