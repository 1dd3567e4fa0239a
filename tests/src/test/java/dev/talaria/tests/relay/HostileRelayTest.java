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
import dev.talaria.backends.prefix.PrefixBackend;
import dev.talaria.engine.Engine;
import dev.talaria.engine.admin.SessionOverride;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.relay.Relay;
import dev.talaria.engine.job.relay.RelayOptions;
import dev.talaria.engine.job.relay.RelayStart;
import dev.talaria.testkit.Processes;
import dev.talaria.tests.job.Echo;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A sandbox whose `python3` speaks like a relay and then breaks the protocol. It costs its own session one call,
/// and other sessions nothing.
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileRelayTest {
    /// What a relay can do in the middle of a run that ends it.
    private static final List<String> FATAL = List.of(
            "oversize",
            "negative",
            "short payload",
            "no object",
            "deep",
            "unknown kind",
            "garbage",
            "endless connections",
            "endless questions",
            "half a frame");

    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private Path python;

    @BeforeEach
    void fakePython() throws IOException {
        python = Files.createDirectory(folder.resolve("bin")).resolve("python3");
        try (InputStream in = HostileRelayTest.class.getResourceAsStream("hostile_relay.py")) {
            Files.write(python, in.readAllBytes());
        }
        Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void nothingIsLeft() {
        await().atMost(SOON)
                .until(() -> Processes.below(ProcessHandle.current().pid()).values().stream()
                        .noneMatch(line -> line.contains(python.toString())));
    }

    private Map<String, String> prefix(String mode) {
        return Map.of("prefix", "env 'HOSTILE=" + mode + "' PATH=" + python.getParent() + ":/usr/bin:/bin");
    }

    private Engine engine() {
        return Engine.builder()
                .settings(Settings.defaults(Folders.below(folder.resolve("home"))))
                .backend("prefix", Map.of("prefix", "nice -n 1"))
                .build();
    }

    private ToolResult call(Engine engine, String mode, String tool, Map<String, Object> arguments) {
        if (!mode.equals("honest")) {
            engine.override(mode, new SessionOverride(Optional.empty(), Optional.empty(), prefix(mode)));
        }
        return engine.call(ToolCall.of(new Caller("test", mode), tool, arguments));
    }

    private static Optional<ErrorCode> code(ToolResult result) {
        return result instanceof ToolResult.Failed failed ? Optional.of(failed.code()) : Optional.empty();
    }

    /// All of them at once in one engine, with an honest relay among them.
    @Test
    void eachCostsItsOwnTaskACallAndNobodyElseAnything() throws Exception {
        Map<String, Object> run = Map.of("code", "print(1)", "timeout", 60);
        Map<String, CompletableFuture<ToolResult>> results = new HashMap<>();
        try (Engine engine = engine();
                ExecutorService threads = Executors.newCachedThreadPool()) {
            List<String> others = List.of("forged ids", "reordered", "wrong types", "endless greeting");
            for (String mode : Stream.concat(FATAL.stream(), others.stream()).toList()) {
                results.put(
                        mode, CompletableFuture.supplyAsync(() -> call(engine, mode, "execute_code", run), threads));
            }
            results.put(
                    "endless file",
                    CompletableFuture.supplyAsync(
                            () -> call(engine, "endless file", "read_file", Map.of("path", "/tmp/x")), threads));
            Map<String, Object> soon = Map.of("code", "print(1)", "timeout", 2);
            for (String mode : List.of("endless output", "oversize greeting")) {
                results.put(
                        mode, CompletableFuture.supplyAsync(() -> call(engine, mode, "execute_code", soon), threads));
            }

            assertThat(call(engine, "honest", "execute_code", Map.of("code", "print(6 * 7)"))
                            .value())
                    .containsEntry("output", "42\n");

            for (String mode : FATAL) {
                assertThat(code(results.get(mode).get())).as(mode).contains(ErrorCode.SANDBOX_LOST);
            }
            assertThat(code(results.get("endless file").get())).contains(ErrorCode.SANDBOX_LOST);
            assertThat(results.get("forged ids").get().value()).containsEntry("output", "mine\n");
            assertThat(results.get("reordered").get().value()).containsEntry("status", "success");
            assertThat(results.get("wrong types").get().value()).containsKey("status");
            assertThat(code(results.get("endless greeting").get())).contains(ErrorCode.BACKEND_UNAVAILABLE);
            assertThat(results.get("oversize greeting").get().value().get("status"))
                    .isIn("error", "timeout"); // whichever comes first, with so many at once
            assertThat(results.get("endless output").get().value())
                    .containsEntry("status", "timeout")
                    .extractingByKey("error")
                    .asString()
                    .contains("did not confirm");
            assertThat(call(engine, "honest", "execute_code", Map.of("code", "print(6 * 7)"))
                            .value())
                    .containsEntry("output", "42\n")
                    .doesNotContainKeys("sandbox_recreated", "environment_recreated");
        }
    }

    /// The relay sends heartbeats but reads nothing, so we cannot write.
    @Test
    void oneThatDoesNotReadIsGivenUp() {
        try (Sandbox sandbox = new PrefixBackend().open(new SandboxSpec(prefix("deaf")))) {
            RelayOptions options = RelayOptions.standard(List.of("python3"))
                    .with(new RelayOptions.Heartbeat(Duration.ofMillis(500), Duration.ofSeconds(2)));
            try (Relay relay = RelayStart.open(sandbox, options, new Echo())) {
                assertThatThrownBy(() -> {
                            for (int i = 0; i < 1000; i++) {
                                relay.start(program("x".repeat(1 << 16)), (_, _) -> {});
                            }
                        })
                        .isInstanceOfSatisfying(
                                SandboxException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.SANDBOX_LOST));
            }
        }
    }

    private static JobSpec program(String argument) {
        return JobSpec.Program.of(List.of("echo", argument));
    }
}
