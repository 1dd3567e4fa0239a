package dev.talaria.tests.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.talaria.api.Caller;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.backends.local.LocalBackend;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.relay.Relay;
import dev.talaria.engine.job.relay.RelayOptions;
import dev.talaria.engine.job.relay.RelayStart;
import dev.talaria.testkit.JavaCommand;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import dev.talaria.testkit.SandboxProcesses;
import dev.talaria.tests.job.Echo;
import dev.talaria.tests.job.RecordedOutput;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A relay is killed or stopped, or its host is stopped.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RelayFaultTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final RelayOptions.Heartbeat QUICK =
            new RelayOptions.Heartbeat(Duration.ofMillis(500), Duration.ofSeconds(3));

    private static final String SUICIDE = """
            import os, signal, time
            pid = os.getpid()
            while pid > 1:
                with open("/proc/%d/cmdline" % pid) as line, open("/proc/%d/comm" % pid) as name:
                    if "EARLY=b" in line.read() and "python" in name.read():
                        relay = pid
                with open("/proc/%d/stat" % pid) as stat:
                    pid = int(stat.read().rpartition(")")[2].split()[1])
            os.kill(relay, signal.SIGKILL)
            time.sleep(600)
            """;

    static List<RunTarget> targets() {
        return List.of(
                RunTargets.localUds(),
                RunTargets.bubblewrapUds(),
                RunTargets.dockerStream(),
                RunTargets.podmanStream(),
                RunTargets.gvisorStream(),
                RunTargets.apptainerStream(),
                RunTargets.sshStream());
    }

    @TempDir
    private Path folder;

    private static void need(RunTarget target) {
        target.missing().ifPresent(why -> {
            System.out.println("SKIPPED RelayFaultTest: " + why);
            Assumptions.abort(why);
        });
    }

    private static ToolResult call(Engine engine, String session, String tool, String name, String value) {
        return engine.call(ToolCall.of(new Caller("test", session), tool, Map.of(name, value)));
    }

    private static void assertLost(ToolResult result) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        ToolResult.Failed.class,
                        failed -> assertThat(failed.code()).isEqualTo(ErrorCode.SANDBOX_LOST));
    }

    /// Checks that the next call reports it once, and works.
    private static void assertAnew(Engine engine) {
        assertThat(call(engine, "victim", "terminal", "command", "echo ${KEPT:-gone}")
                        .value())
                .containsEntry("output", "gone")
                .containsKey("environment_recreated");
        assertThat(call(engine, "victim", "execute_code", "code", "print(6 * 7)")
                        .value())
                .containsEntry("output", "42\n")
                .doesNotContainKeys("environment_recreated", "sandbox_recreated");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("targets")
    void oneThatIsKilledCostsWhatRanThere(RunTarget target) throws Exception {
        need(target);
        Settings settings = Settings.defaults(Folders.below(folder.resolve("home")))
                .withBackend(target.backend(), target.options())
                .withTransport(target.transport());
        SandboxProcesses processes = SandboxProcesses.at(target);
        try (Engine engine = Engine.builder().settings(settings).build()) {
            call(engine, "other", "terminal", "command", "export KEPT=1");
            call(engine, "victim", "terminal", "command", "export KEPT=1");

            CompletableFuture<ToolResult> running = CompletableFuture.supplyAsync(
                    () -> call(engine, "victim", "execute_code", "code", processes.script()));
            processes.send("KILL", processes.relay());
            assertLost(running.get(60, TimeUnit.SECONDS));
            processes.awaitGone();
            assertAnew(engine);

            call(engine, "victim", "terminal", "command", "export KEPT=1");
            assertLost(call(engine, "victim", "execute_code", "code", SUICIDE));
            assertAnew(engine);

            assertThat(call(engine, "other", "terminal", "command", "echo $KEPT")
                            .value())
                    .containsEntry("output", "1")
                    .doesNotContainKeys("environment_recreated", "sandbox_recreated");
        }
    }

    /// The heartbeat is short, so that a test can wait for it.
    @ParameterizedTest(name = "{0}")
    @MethodSource("targets")
    void oneThatIsStoppedIsGivenUpAndEndsWithAllThatRanThere(RunTarget target) throws Exception {
        need(target);
        SandboxProcesses processes = SandboxProcesses.at(target);
        SandboxSpec spec = new SandboxSpec(target.options());
        try (Sandbox sandbox = target.find().open(spec);
                Relay relay = RelayStart.open(
                        sandbox, RelayOptions.standard(List.of("python3")).with(QUICK), new Echo())) {
            Job job = relay.start(program("sleep", processes.sleeper()), (_, _) -> {});
            long pid = processes.relay();
            try {
                processes.send("STOP", pid);
                assertThatThrownBy(() -> job.exit().get(60, TimeUnit.SECONDS))
                        .isInstanceOf(ExecutionException.class)
                        .cause()
                        .isInstanceOfSatisfying(
                                SandboxException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.SANDBOX_LOST));
                assertThat(relay.alive()).isFalse();
                await().atMost(SOON).until(() -> !processes.lives(pid));
                processes.awaitGone();
            } finally {
                if (processes.lives(pid)) {
                    processes.send("KILL", pid);
                }
            }
        }
    }

    /// The host stops, as for a closed laptop or Ctrl-Z, for longer than any silence that we accept from a
    /// relay.
    @Test
    void aHostThatWasStoppedGoesOn() throws Exception {
        List<String> command = JavaCommand.of(JavaCommand.classPath(), SleepingHost.class.getName());
        Process host = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = host.inputReader(StandardCharsets.UTF_8)) {
            assertThat(out.readLine()).isEqualTo("begun");
            SandboxProcesses.signal("STOP", host.pid());
            Thread.sleep(QUICK.silence().plusSeconds(2));
            SandboxProcesses.signal("CONT", host.pid());
            assertThat(out.readLine()).isEqualTo("all of it");
        } finally {
            host.destroyForcibly().waitFor();
        }
    }

    /// A program that waits for a job.
    static final class SleepingHost {
        private SleepingHost() {}

        public static void main(String[] args) throws Exception {
            try (Sandbox sandbox = new LocalBackend().open(SandboxSpec.empty());
                    Relay relay = RelayStart.open(
                            sandbox, RelayOptions.standard(List.of("python3")).with(QUICK), new Echo())) {
                RecordedOutput job = RecordedOutput.start(relay, program("sh", "-c", "sleep 7; echo all of it"));
                System.out.println("begun");
                job.exit();
                System.out.println(job.out().strip());
            }
        }
    }

    private static JobSpec program(String... argv) {
        return JobSpec.Program.of(List.of(argv));
    }
}
