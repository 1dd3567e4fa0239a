package dev.talaria.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.testkit.SshServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server that dies, and a line that is slow.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SshFaultTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private Engine engine(SshServer server) {
        return Engine.builder()
                .settings(Settings.defaults(Folders.below(folder.resolve("home"))))
                .backend("ssh", server.options())
                .build();
    }

    private static ToolResult terminal(Engine engine, String command) {
        return engine.call(ToolCall.of("terminal", Map.of("command", command)));
    }

    private static void assertLost(ToolResult result) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        ToolResult.Failed.class,
                        failed -> assertThat(failed.code()).isEqualTo(ErrorCode.SANDBOX_LOST));
    }

    @Test
    void aServerThatIsKilledCostsWhatRanAndTheNextCallSaysSo() throws Exception {
        Path began = folder.resolve("began");
        try (SshServer server = SshServer.start(folder);
                Engine engine = engine(server)) {
            terminal(engine, "export KEPT=1");
            CompletableFuture<ToolResult> running = CompletableFuture.supplyAsync(() ->
                    terminal(engine, "echo $$ > " + began + ".new; mv " + began + ".new " + began + "; sleep 600"));
            Awaitility.await().atMost(SOON).until(() -> Files.exists(began));
            long pid = Long.parseLong(Files.readString(began).strip());

            server.kill();

            assertLost(running.get());
            Awaitility.await().atMost(SOON).until(() -> ProcessHandle.of(pid).isEmpty());
            server.startAgain();
            Map<String, Object> next = terminal(engine, "echo ${KEPT:-gone}").value();
            assertThat(next).containsEntry("output", "gone").containsKey("environment_recreated");
        }
    }

    @Test
    void aLineOf64KilobytesPerSecondDeliversAllOfIt() throws Exception {
        String script = """
                import random
                numbers = random.Random(5)
                for i in range(2000):
                    print("%0100x" % numbers.getrandbits(400))
                """;
        Process here = new ProcessBuilder("python3", "-c", script).start();
        String expected = new String(here.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try (SshServer server = SshServer.start(folder, Duration.ofMillis(20), 64_000);
                Engine engine = engine(server)) {
            Map<String, Object> value = engine.call(ToolCall.of("execute_code", Map.of("code", script)))
                    .value();
            assertThat(value).containsEntry("status", "success");
            try (Stream<Path> files = Files.walk(folder.resolve("home"))) { // it is more than a model gets
                assertThat(files.filter(Files::isRegularFile)
                                .filter(file -> file.toFile().length() == 202_000))
                        .singleElement()
                        .satisfies(file -> assertThat(file).hasContent(expected));
            }
        }
    }
}
