package dev.talaria.backends.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxSpec;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.testkit.SshServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A line that is away for a while, or for good. A silent server is asked more often than usual, so that the test is
/// shorter.
@Timeout(value = 4, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SshLineTest {
    private static final Duration INTERVAL = Duration.ofSeconds(3);

    @TempDir
    private Path folder;

    private Engine engine(SshServer server, String name) {
        return Engine.builder()
                .settings(Settings.defaults(Folders.below(folder.resolve(name))).withBackend("ssh", server.options()))
                .backend(new SshBackend(INTERVAL))
                .build();
    }

    private static ToolResult terminal(Engine engine, String command) {
        return engine.call(ToolCall.of("terminal", Map.of("command", command)));
    }

    /// A server is given up after five questions, so two of them are the half minute that a run must survive.
    @Test
    void aSilentServerIsAskedEveryFifteenSeconds() throws Exception {
        try (SshServer server = SshServer.start(folder)) {
            assertThat(SshClient.of(new SshBackend(), new SandboxSpec(server.options()))
                            .words())
                    .contains("ServerAliveInterval=15", "ServerAliveCountMax=5");
        }
    }

    /// Both at once, since both take their time.
    @Test
    void aLineThatComesBackCostsNothingAndOneThatDoesNotIsGivenUp() throws Exception {
        Path one = Files.createDirectory(folder.resolve("one"));
        Path two = Files.createDirectory(folder.resolve("two"));
        Path began = folder.resolve("began");
        String script = "import time\nopen('" + began + "', 'w').close()\n"
                + "for i in range(20):\n    print(i, flush=True)\n    time.sleep(0.3)\n";
        try (SshServer back = SshServer.start(one);
                SshServer gone = SshServer.start(two);
                Engine patient = engine(back, "patient");
                Engine stranded = engine(gone, "stranded")) {
            terminal(patient, "true");
            terminal(stranded, "export KEPT=1");
            CompletableFuture<ToolResult> running = CompletableFuture.supplyAsync(
                    () -> patient.call(ToolCall.of("execute_code", Map.of("code", script))));
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(began));
            gone.link().strand();
            CompletableFuture<ToolResult> lost = CompletableFuture.supplyAsync(() -> terminal(stranded, "echo hello"));

            back.link().hold();
            Thread.sleep(INTERVAL.multipliedBy(2));
            back.link().resume();

            assertThat(running.get().value())
                    .containsEntry("status", "success")
                    .containsEntry(
                            "output",
                            IntStream.range(0, 20).mapToObj(i -> i + "\n").collect(Collectors.joining()));
            assertThat(back.link().connections()).isOne();
            assertThat(lost.get())
                    .isInstanceOfSatisfying(
                            ToolResult.Failed.class,
                            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.SANDBOX_LOST));
            assertThat(terminal(stranded, "echo ${KEPT:-gone}").value())
                    .containsEntry("output", "gone")
                    .containsKey("environment_recreated");
        }
    }
}
