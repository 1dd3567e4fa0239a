package dev.talaria.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.json.Json;
import dev.talaria.engine.sandbox.SandboxRecord;
import dev.talaria.testkit.JavaCommand;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import dev.talaria.testkit.Testbed;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The clock of a machine jumps by a year, forwards and back. All waiting goes on. The test sets only the host's
/// clock: the relay does not use it, and `RelaySourceTest` checks that.
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClockJumpTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void clock() {
        Assumptions.assumeTrue(Testbed.value("CLOCK").isPresent(), Testbed.whyMissing("clock"));
    }

    private Process start(String offset, String what) throws IOException {
        Path clock = Files.writeString(folder.resolve("clock"), offset);
        ProcessBuilder builder = new ProcessBuilder(JavaCommand.of(
                        JavaCommand.classPath(),
                        JumpingHost.class.getName(),
                        folder.toString(),
                        clock.toString(),
                        what))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment()
                .putAll(Map.of(
                        "LD_PRELOAD",
                        Testbed.value("CLOCK").orElseThrow(),
                        "FAKETIME_TIMESTAMP_FILE",
                        clock.toString(),
                        "FAKETIME_CACHE_DURATION",
                        "1",
                        // as in the kernel: the monotonic clock cannot be set
                        "FAKETIME_DONT_FAKE_MONOTONIC",
                        "1"));
        return builder.start();
    }

    private static int year(Object text) {
        return Integer.parseInt(String.valueOf(text).strip());
    }

    private static Map<String, Object> part(Map<String, Object> seen, String name) {
        return Json.object(Json.text(seen.get(name)));
    }

    /// Returns the next line of the other JVM. If none comes for long, it prints the JVM's threads.
    private static String line(Process host, BufferedReader out) throws Exception {
        FutureTask<String> next = new FutureTask<>(out::readLine);
        Thread.ofPlatform().daemon().start(next);
        try {
            return String.valueOf(next.get(100, TimeUnit.SECONDS));
        } catch (TimeoutException e) {
            Path jstack = Path.of(System.getProperty("java.home"), "bin", "jstack");
            Process threads = new ProcessBuilder(jstack.toString(), String.valueOf(host.pid()))
                    .redirectErrorStream(true)
                    .start();
            throw new AssertionError(new String(threads.getInputStream().readAllBytes(), StandardCharsets.UTF_8), e);
        }
    }

    @Test
    void runsSessionsAndProcessesGoOn() throws Exception {
        int now = Year.now(ZoneOffset.UTC).getValue();
        Process host = start("+0", "runs");
        try (BufferedReader out = host.inputReader(StandardCharsets.UTF_8)) {
            for (int offset : List.of(1, -1, 0)) {
                Map<String, Object> seen = Json.object(line(host, out));
                assertThat(year(seen.get("year"))).as("%s", seen).isBetween(now + offset - 1, now + offset + 1);
                assertThat(part(seen, "script"))
                        .containsEntry("status", "success")
                        .containsEntry("tool_calls_made", 1)
                        .doesNotContainKeys("environment_recreated", "sandbox_recreated")
                        .hasEntrySatisfying(
                                "output",
                                output -> assertThat(String.valueOf(output)).isEqualTo("nested\n"))
                        .hasEntrySatisfying(
                                "duration_seconds",
                                seconds -> assertThat(((Number) seconds).doubleValue())
                                        .isBetween(0.0, 100.0));
                assertThat(part(seen, "kept"))
                        .containsEntry("output", "1")
                        .doesNotContainKeys("environment_recreated", "sandbox_recreated");
                assertThat(part(seen, "late")).containsEntry("exit_code", 124);
                assertThat(part(seen, "process")).containsEntry("status", "running");
                assertThat(seen).containsEntry("sandboxes", 1);
            }
        } finally {
            host.destroyForcibly().waitFor();
        }
    }

    @Test
    void aSandboxOfALivingTalariaIsNotTakenForAnAbandonedOne() throws Exception {
        RunTarget target = RunTargets.dockerStream();
        Assumptions.assumeTrue(
                target.missing().isEmpty(), () -> target.missing().orElse(""));
        Settings settings = Settings.defaults(Folders.below(folder)).withBackend(target.backend(), target.options());
        try (Engine engine = Engine.builder().settings(settings).build()) {
            engine.call(ToolCall.of("terminal", Map.of("command", "export KEPT=1")));
            for (String offset : List.of("+365d", "-365d")) {
                Process sweeper = start(offset, "sweep");
                try (BufferedReader out = sweeper.inputReader(StandardCharsets.UTF_8)) {
                    assertThat(out.readLine()).endsWith(" 0");
                } finally {
                    sweeper.destroyForcibly().waitFor();
                }
            }
            assertThat(SandboxRecord.all(Folders.below(folder))).hasSize(1);
            assertThat(engine.call(ToolCall.of("terminal", Map.of("command", "echo $KEPT")))
                            .value())
                    .containsEntry("output", "1")
                    .doesNotContainKeys("environment_recreated", "sandbox_recreated");
        }
    }
}
