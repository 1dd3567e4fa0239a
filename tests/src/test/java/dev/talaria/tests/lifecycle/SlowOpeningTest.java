package dev.talaria.tests.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Cancellation;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A sandbox that opens slowly holds no call longer than the call can wait. The client waits at a gate that the test
/// opens, so a result before that came at once.
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlowOpeningTest {
    private static final Map<String, Map<String, Object>> CALLS = Map.of(
            "execute_code", Map.of("code", "print(6 * 7)"),
            "terminal", Map.of("command", "echo 42"),
            "read_file", Map.of("path", "/etc/hostname"),
            "write_file", Map.of("path", "/dev/null/nowhere", "content", "x"));

    @TempDir
    private Path folder;

    private Engine engine;

    @BeforeEach
    void build() throws IOException {
        Path client = folder.resolve("client");
        Files.writeString(client, """
                #!/bin/sh
                here=$(dirname "$0")
                case "$*" in *python3*) what=relay ;; *) what=sandbox ;; esac
                echo $what >> "$here/started"
                while [ ! -e "$here/$what" ] ; do [ -e "$here/broken" ] && exit 1; sleep 0.02; done
                exec "$@"
                """);
        Files.setPosixFilePermissions(client, PosixFilePermissions.fromString("rwx------"));
        engine = Engine.builder()
                .settings(Settings.defaults(Folders.below(folder.resolve("home"))))
                .backend("prefix", Map.of("prefix", client.toString()))
                .build();
    }

    @AfterEach
    void close() throws IOException {
        open("sandbox");
        open("relay");
        engine.close();
    }

    private void open(String gate) throws IOException {
        Files.writeString(folder.resolve(gate), "");
    }

    private List<String> started() throws IOException {
        Path file = folder.resolve("started");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private void awaitStart(String what) throws Exception {
        while (!started().contains(what)) {
            Thread.onSpinWait();
        }
    }

    private static ToolCall call(String tool) {
        return ToolCall.of(tool, CALLS.getOrDefault(tool, Map.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"execute_code", "terminal", "read_file", "write_file"})
    void aCallLeavesAtItsDeadlineWhileTheSandboxOpens(String tool) {
        ToolResult result = engine.call(call(tool).within(Duration.ofMillis(100)));

        assertThat(result).isInstanceOf(ToolResult.TimedOut.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"execute_code", "terminal", "read_file", "write_file"})
    void aCallLeavesAtItsDeadlineWhileTheRelayStarts(String tool) throws Exception {
        open("sandbox");

        ToolResult result = engine.call(call(tool).within(Duration.ofSeconds(2)));

        assertThat(result).isInstanceOf(ToolResult.TimedOut.class);
        awaitStart("relay");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sandbox", "relay"})
    void aCancelledCallLeavesAndTheOpeningGoesOn(String gate) throws Exception {
        if (gate.equals("relay")) {
            open("sandbox");
        }
        Cancellation cancellation = new Cancellation();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ToolResult> waiting = threads.submit(() -> engine.call(call("execute_code"), cancellation));
            awaitStart(gate);

            cancellation.cancel("the user pressed a key");

            assertThat(waiting.get()).isInstanceOf(ToolResult.Cancelled.class);
            assertThat(waiting.get().value()).containsEntry("status", "interrupted");
        }
        open("sandbox");
        open("relay");
        assertThat(engine.call(call("execute_code")).value()).containsEntry("output", "42\n");
        assertThat(started()).containsExactly("sandbox", "relay");
    }

    @Test
    void aScriptThatWasNotStartedSaysSo() {
        ToolResult result = engine.call(ToolCall.of("execute_code", Map.of("code", "print(6 * 7)", "timeout", 1)));

        assertThat(result.value()).containsEntry("status", "timeout").containsEntry("exit_code", -1);
        assertThat(String.valueOf(result.value().get("error")))
                .contains("timed out after 1s")
                .contains("not started");
    }

    @Test
    void fiftyFirstCallsOpenItOnce() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<ToolResult>> calls = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                calls.add(threads.submit(() -> engine.call(call("terminal"))));
            }
            awaitStart("sandbox");
            open("sandbox");
            awaitStart("relay");
            open("relay");

            for (Future<ToolResult> call : calls) {
                assertThat(call.get().value()).containsEntry("output", "42");
            }
        }
        assertThat(started()).containsExactly("sandbox", "relay");
    }

    @Test
    void whatFailedToOpenIsTriedAgain() throws Exception {
        open("broken");
        assertThat(engine.call(call("execute_code"))).isInstanceOf(ToolResult.Failed.class);
        open("sandbox");
        assertThat(engine.call(call("execute_code"))).isInstanceOf(ToolResult.Failed.class);
        open("relay");

        assertThat(engine.call(call("execute_code")).value()).containsEntry("output", "42\n");
    }

    @Test
    void aCallLeavesWhenTheEngineIsClosed() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ToolResult> waiting = threads.submit(() -> engine.call(call("execute_code")));
            awaitStart("sandbox");
            Future<?> closing = threads.submit(engine::close);

            assertThat(waiting.get()).isInstanceOf(ToolResult.Cancelled.class);
            open("sandbox");
            closing.get();
        }
        assertThat(started()).containsExactly("sandbox");
    }
}
