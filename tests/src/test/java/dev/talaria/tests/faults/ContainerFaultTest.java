package dev.talaria.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.talaria.api.Caller;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxSpec;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.admin.SandboxInfo;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.testkit.DockerClient;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import dev.talaria.testkit.SandboxProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Containers that are removed, paused, full or badly made, and an engine that is stopped and started.
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContainerFaultTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final RunTarget PLACE = RunTargets.dockerStream();

    @TempDir
    private Path folder;

    @BeforeEach
    void needsDocker() {
        Assumptions.assumeTrue(PLACE.missing().isEmpty(), () -> PLACE.missing().orElse(""));
    }

    private Engine engine(Map<String, String> more) {
        Map<String, String> options = new HashMap<>(PLACE.options());
        options.putAll(more);
        return Engine.builder()
                .settings(
                        Settings.defaults(Folders.below(folder.resolve("home"))).withBackend("docker", options))
                .build();
    }

    private static ToolResult run(Engine engine, String session, String code, int timeout) {
        return engine.call(
                ToolCall.of(new Caller("test", session), "execute_code", Map.of("code", code, "timeout", timeout)));
    }

    private static Map<String, Object> terminal(Engine engine, String session, String command) {
        return engine.call(ToolCall.of(new Caller("test", session), "terminal", Map.of("command", command)))
                .value();
    }

    private static String container(Engine engine, String session) {
        return engine.sandboxes().stream()
                .filter(one -> one.session().equals(session))
                .map(SandboxInfo::name)
                .map(name -> name.substring(name.indexOf(':') + 1))
                .findFirst()
                .orElseThrow();
    }

    private static void docker(String... words) {
        assertThat(DockerClient.docker(words).status()).isZero();
    }

    private static void assertLost(ToolResult result) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        ToolResult.Failed.class,
                        failed -> assertThat(failed.code()).isEqualTo(ErrorCode.SANDBOX_LOST));
    }

    private static void assertMadeAnewOnce(Engine engine, String session) {
        assertThat(terminal(engine, session, "echo ${KEPT:-gone}"))
                .containsEntry("output", "gone")
                .containsKeys("sandbox_recreated", "environment_recreated");
        assertThat(terminal(engine, session, "echo hi"))
                .containsEntry("output", "hi")
                .doesNotContainKeys("sandbox_recreated", "environment_recreated");
    }

    @Test
    void oneThatIsRemovedIsMadeAnew() throws Exception {
        SandboxProcesses processes = SandboxProcesses.any();
        String second;
        try (Engine engine = engine(Map.of())) {
            terminal(engine, "other", "export KEPT=1");
            terminal(engine, "victim", "export KEPT=1");
            CompletableFuture<ToolResult> running =
                    CompletableFuture.supplyAsync(() -> run(engine, "victim", processes.script(), 100));
            processes.relay();
            docker("rm", "-f", container(engine, "victim"));

            assertLost(running.get(60, TimeUnit.SECONDS));
            processes.awaitGone();
            assertMadeAnewOnce(engine, "victim");
            assertThat(terminal(engine, "other", "echo $KEPT")).containsEntry("output", "1");
            second = container(engine, "victim");
        }
        assertThat(DockerClient.docker("inspect", second).status()).isNotZero();
    }

    /// A short pause has no effect. A call whose time ends in a long pause gets an answer, and nothing else is
    /// lost.
    @Test
    void oneThatIsPausedGoesOnWhereItWas() throws Exception {
        String container;
        try (Engine engine = engine(Map.of())) {
            terminal(engine, "victim", "export KEPT=1");
            terminal(engine, "other", "true");
            container = container(engine, "victim");
            String script = """
                    import time
                    open("/tmp/began", "w").close()
                    for i in range(30):
                        print(i, flush=True)
                        time.sleep(0.1)
                    """;
            CompletableFuture<ToolResult> running =
                    CompletableFuture.supplyAsync(() -> run(engine, "victim", script, 100));
            await().atMost(SOON)
                    .until(() -> DockerClient.docker("exec", container, "test", "-e", "/tmp/began")
                                    .status()
                            == 0);
            docker("pause", container);
            CompletableFuture<ToolResult> impatient =
                    CompletableFuture.supplyAsync(() -> run(engine, "victim", "print(1)", 1));

            assertThat(run(engine, "other", "print(6 * 7)", 60).value()).containsEntry("output", "42\n");
            assertThat(impatient.get(90, TimeUnit.SECONDS).value())
                    .containsEntry("status", "timeout")
                    .extractingByKey("error")
                    .asString()
                    .contains("did not confirm");
            docker("unpause", container);

            assertThat(String.valueOf(running.get(60, TimeUnit.SECONDS).value().get("output")))
                    .startsWith("0\n1\n2\n")
                    .endsWith("28\n29\n");
            assertThat(terminal(engine, "victim", "echo $KEPT"))
                    .containsEntry("output", "1")
                    .doesNotContainKeys("sandbox_recreated", "environment_recreated");
            docker("pause", container); // it has to be removed while it is paused
        }
        assertThat(DockerClient.docker("inspect", container).status()).isNotZero();
    }

    @Test
    void aFullDiskIsSaidAndOverWhenThereIsRoomAgain() {
        try (Engine engine = engine(Map.of("disk", "8m"))) {
            for (String where : List.of("/workspace", "/tmp")) {
                ToolResult full = run(engine, "victim", """
                        with open("%s/big", "wb") as f:
                            while True:
                                f.write(bytes(1 << 20))
                        """.formatted(where), 60);
                assertThat(String.valueOf(full.value())).contains("No space left on device");
                ToolResult inFull = run(engine, "victim", "print(6 * 7)", 60);
                assertThat(String.valueOf(inFull.value())).as(where).containsAnyOf("No space left", "42\\n", "42\n");
                assertThat(terminal(engine, "victim", "rm " + where + "/big; echo $?"))
                        .containsEntry("output", "0");
                assertThat(run(engine, "victim", "print(6 * 7)", 60).value())
                        .containsEntry("output", "42\n")
                        .doesNotContainKeys("sandbox_recreated", "environment_recreated");
            }
        }
    }

    /// In a container that existed before.
    @ParameterizedTest
    @CsvSource({"size=64k", "ro", "noexec"})
    void aBadTmpIsNoObstacle(String tmpfs) {
        String name = "talaria-fault-" + SandboxSpec.newId();
        docker(
                "run",
                "-d",
                "--name",
                name,
                "--network",
                "none",
                "--tmpfs",
                "/tmp:" + tmpfs,
                DockerClient.image(),
                "sleep",
                "600");
        try (Engine engine = engine(Map.of("container", name))) {
            if (tmpfs.startsWith("size")) {
                DockerClient.docker("exec", name, "dd", "if=/dev/zero", "of=/tmp/big", "bs=4k");
            }
            assertThat(run(engine, "victim", "import hermes_tools; print(6 * 7)", 60)
                            .value())
                    .containsEntry("output", "42\n");
            assertThat(terminal(engine, "victim", "cd /usr; export A=5; echo $A"))
                    .containsEntry("output", "5");
            assertThat(terminal(engine, "victim", "echo $A $PWD")).containsEntry("output", "5 /usr");
        } finally {
            docker("rm", "-f", name);
        }
    }

    /// The test's own engine, since others use the usual one.
    @Test
    void anEngineThatIsStoppedAndStartedCostsWhatRanThere() throws Exception {
        Optional<OwnDocker> own = OwnDocker.start();
        Assumptions.assumeTrue(own.isPresent(), "No second Docker engine can be started here");
        SandboxProcesses processes = SandboxProcesses.any();
        try (OwnDocker docker = own.orElseThrow();
                Engine engine = engine(Map.of("binary", docker.client().toString()))) {
            terminal(engine, "victim", "export KEPT=1");
            CompletableFuture<ToolResult> running =
                    CompletableFuture.supplyAsync(() -> run(engine, "victim", processes.script(), 100));
            processes.relay();
            docker.stop();

            assertLost(running.get(60, TimeUnit.SECONDS));
            processes.awaitGone();
            ToolResult away = run(engine, "victim", "print(1)", 3);
            assertThat(away)
                    .isInstanceOfSatisfying(
                            ToolResult.Failed.class,
                            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.BACKEND_UNAVAILABLE));
            docker.startAgain();
            assertMadeAnewOnce(engine, "victim");
            assertThat(docker.containers()).hasSize(1);
            engine.cleanup("victim");
            assertThat(docker.containers()).isEmpty();
        }
    }
}
