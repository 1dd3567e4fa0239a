package dev.talaria.tests.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.talaria.api.Caller;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.admin.SandboxInfo;
import dev.talaria.engine.admin.SessionOverride;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.SandboxScope;
import dev.talaria.engine.config.SandboxSettings;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.sandbox.SandboxRecord;
import dev.talaria.testkit.DockerClient;
import dev.talaria.testkit.Testbed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A sandbox from its first call to its last, on real containers.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LifecycleTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final SandboxSettings STANDARD = SandboxSettings.defaults();

    @TempDir
    private Path folder;

    private final MadeContainers backend = new MadeContainers();

    @BeforeEach
    void docker() {
        Assumptions.assumeTrue(Testbed.value("DOCKER_IMAGE").isPresent(), Testbed.whyMissing("docker"));
    }

    @AfterEach
    void nothingIsLeft() {
        await().atMost(SOON).until(() -> backend.opened.stream().noneMatch(MadeContainers::exists));
        assertThat(records()).isEmpty();
    }

    private Folders folders() {
        return Folders.below(folder.resolve("home"));
    }

    private List<SandboxRecord> records() {
        return SandboxRecord.all(folders());
    }

    private Engine engine(SandboxSettings settings) {
        return Engine.builder()
                .settings(Settings.defaults(folders()).withSandbox(settings))
                .backend(backend)
                .build();
    }

    private static ToolResult call(Engine engine, String session, String command, Map<String, Object> more) {
        Map<String, Object> arguments = new HashMap<>(more);
        arguments.put("command", command);
        return engine.call(ToolCall.of(new Caller("test", session), "terminal", arguments));
    }

    private static Map<String, Object> run(Engine engine, String session, String command) {
        return call(engine, session, command, Map.of()).value();
    }

    @Test
    void fiftyFirstCallsOpenOneSandboxAndItIsOnRecordUntilItIsClosed() throws Exception {
        try (Engine engine = engine(STANDARD);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Object>> outputs = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                outputs.add(threads.submit(() -> run(engine, "one", "hostname").get("output")));
            }
            for (Future<Object> output : outputs) {
                assertThat(output.get()).isEqualTo(outputs.getFirst().get());
            }
            assertThat(backend.opened).hasSize(1);
            SandboxSpec spec = backend.opened.getFirst();
            assertThat(spec.labels())
                    .containsEntry("talaria.session", "one")
                    .containsKeys("talaria.owner", "talaria.created");
            await().atMost(SOON).until(() -> records().getFirst().name().isPresent());
            assertThat(records()).singleElement().satisfies(record -> {
                assertThat(record.id()).isEqualTo(spec.id());
                assertThat(record.backend()).isEqualTo("made-containers");
                assertThat(record.session()).isEqualTo("one");
                assertThat(record.owner().process().pid())
                        .isEqualTo(ProcessHandle.current().pid());
                assertThat(record.isolation()).contains("container");
                assertThat(record.abandoned()).isFalse();
            });
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(folders().sandboxes().resolve(spec.id() + ".json"))))
                    .isEqualTo("rw-------");
            assertThat(engine.sandboxes()).singleElement().satisfies(info -> {
                assertThat(info.id()).isEqualTo(spec.id());
                assertThat(info.session()).isEqualTo("one");
                assertThat(info.busy()).isFalse();
            });
            run(engine, "two", "true");
            assertThat(backend.opened).hasSize(2);
            engine.cleanup("one");
            assertThat(MadeContainers.exists(spec)).isFalse();
            assertThat(engine.sandboxes()).extracting(SandboxInfo::session).containsExactly("two");
        }
    }

    @Test
    void aContainerThatWasRemovedIsMadeAnewAndTheResultSaysSo() {
        backend.remarks = List.of("The folder /nowhere is not there.");
        try (Engine engine = engine(STANDARD)) {
            assertThat(run(engine, "s", "export KEPT=1; cd /var; echo x > /tmp/file"))
                    .containsEntry("sandbox_remarks", backend.remarks)
                    .doesNotContainKeys("sandbox_recreated", "environment_recreated");
            assertThat(run(engine, "s", "true")).doesNotContainKey("sandbox_remarks");
            backend.remarks = List.of();
            DockerClient.docker("rm", "-f", backend.opened.getFirst().outsideName());

            Map<String, Object> next = run(engine, "s", "echo ${KEPT-gone}; ls /tmp/file; pwd");

            assertThat(next.get("output").toString())
                    .startsWith("gone\n")
                    .contains("No such file")
                    .endsWith("/tmp");
            assertThat(next.get("sandbox_recreated").toString())
                    .contains(backend.opened.getFirst().outsideName())
                    .contains("files");
            assertThat(next.get("environment_recreated").toString()).contains("variables and folder");
            assertThat(run(engine, "s", "true")).doesNotContainKeys("sandbox_recreated", "environment_recreated");
            assertThat(backend.opened).hasSize(2);
            assertThat(records()).hasSize(1);

            // In the middle of a call: the call is lost and not repeated.
            Map<String, Object> code = Map.of("code", "import time; print('begun', flush=True); time.sleep(600)");
            Thread.ofPlatform().start(() -> {
                await().atMost(SOON)
                        .until(() ->
                                DockerClient.docker("top", backend.opened.get(1).outsideName())
                                                .text()
                                                .lines()
                                                .count()
                                        > 3);
                DockerClient.docker("rm", "-f", backend.opened.get(1).outsideName());
            });
            assertThat(engine.call(ToolCall.of(new Caller("test", "s"), "execute_code", code)))
                    .isInstanceOfSatisfying(
                            ToolResult.Failed.class,
                            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.SANDBOX_LOST));
            ToolResult script =
                    engine.call(ToolCall.of(new Caller("test", "s"), "execute_code", Map.of("code", "print(42)")));
            assertThat(script.value()).containsEntry("output", "42\n").containsKey("sandbox_recreated");
            assertThat(backend.opened).hasSize(3);
        }
    }

    @Test
    void aSandboxThatDiesAgainAndAgainIsMadeAnewOncePerCall() {
        backend.shortLived = true;
        try (Engine engine = engine(STANDARD)) {
            assertThat(call(engine, "s", "echo 42", Map.of()))
                    .isInstanceOfSatisfying(ToolResult.Failed.class, failed -> {
                        assertThat(failed.code()).isEqualTo(ErrorCode.SANDBOX_LOST);
                        assertThat(failed.message()).contains("made anew").contains("nothing was run");
                    });
            assertThat(backend.opened).hasSize(2);
            backend.shortLived = false;
            assertThat(run(engine, "s", "echo 42")).containsEntry("output", "42");
        }
    }

    @Test
    void anIdleSandboxIsClosedButNotABusyOne() throws Exception {
        try (Engine engine = engine(STANDARD.withIdle(Duration.ofSeconds(1)))) {
            run(engine, "idle", "export KEPT=1");
            call(engine, "process", "sleep 600", Map.of("background", true));
            // A call that takes longer than the idle time.
            assertThat(run(engine, "busy", "sleep 3; echo over")).containsEntry("output", "over");

            await().atMost(SOON).until(() -> engine.sandboxes().size() == 1);
            assertThat(engine.sandboxes()).singleElement().satisfies(info -> {
                assertThat(info.session()).isEqualTo("process");
                assertThat(info.busy()).isTrue();
            });
            await().atMost(SOON).until(() -> records().size() == 1);
            Map<String, Object> next = run(engine, "idle", "echo ${KEPT-gone}");
            assertThat(next).containsEntry("output", "gone").containsKey("environment_recreated");
            assertThat(next.get("sandbox_recreated").toString()).contains("nobody used it");
        }
    }

    @Test
    void onThisMachineAShellIsNotTakenAwayAndTheRestSilently() throws Exception {
        try (Engine engine = Engine.builder()
                .settings(Settings.defaults(folders()).withSandbox(STANDARD.withIdle(Duration.ofMillis(200))))
                .build()) {
            run(engine, "shell", "export KEPT=1");
            Caller script = new Caller("test", "script");
            engine.call(ToolCall.of(script, "execute_code", Map.of("code", "print(1)")));

            await().atMost(SOON).until(() -> engine.sandboxes().size() == 1);

            assertThat(run(engine, "shell", "echo $KEPT")).containsEntry("output", "1");
            assertThat(engine.call(ToolCall.of(script, "execute_code", Map.of("code", "print(2)")))
                            .value())
                    .containsEntry("output", "2\n")
                    .doesNotContainKeys("sandbox_recreated", "environment_recreated");
        }
    }

    @Test
    void anotherImageIsolatesATaskAndAnotherFolderDoesNot() {
        try (Engine engine = engine(STANDARD.withScope(SandboxScope.SHARED))) {
            String copy = "talaria-test:override-" + ProcessHandle.current().pid();
            DockerClient.docker("tag", DockerClient.image(), copy);
            try {
                engine.override("image", SessionOverride.image(copy).withCwd("/usr"));
                engine.override("folder", SessionOverride.cwd("/var"));
                Object shared = run(engine, "a", "hostname").get("output");
                assertThat(run(engine, "folder", "hostname; pwd")).containsEntry("output", shared + "\n/var");
                assertThat(run(engine, "image", "pwd")).containsEntry("output", "/usr");
                assertThat(run(engine, "image", "hostname").get("output")).isNotEqualTo(shared);
                assertThat(backend.opened).hasSize(2);
                assertThat(backend.opened.get(1).options()).containsEntry("image", copy);
                assertThatThrownBy(() -> engine.override("image", SessionOverride.cwd("/")))
                        .isInstanceOfSatisfying(
                                SandboxException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                        .hasMessageContaining("before the session's first call");
                assertThatThrownBy(() -> engine.override("x", SessionOverride.NONE.withBackend("dokcer")))
                        .hasMessageContaining("no backend 'dokcer'")
                        .hasMessageContaining("local");
                engine.cleanup("image");
                engine.cleanup("a"); // others share it
                assertThat(engine.sandboxes()).hasSize(1);
            } finally {
                DockerClient.docker("rmi", copy);
            }
        }
        Engine over = engine(STANDARD);
        over.close();
        assertThatThrownBy(() -> over.override("x", SessionOverride.image("y"))).hasMessageContaining("closed");
    }

    @Test
    void sessionsSideBySideHaveTheirOwnFolders() throws Exception {
        Path work = Files.createDirectory(folder.resolve("work"));
        try (Engine engine = Engine.builder()
                .settings(
                        Settings.defaults(folders()).withCwd(work.toString()).withSandbox(STANDARD.withOwnFolder(true)))
                .build()) {
            for (String session : List.of("a/../b", "c")) {
                Caller caller = new Caller("test", session);
                run(engine, session, "echo " + session + " > name");
                engine.call(ToolCall.of(caller, "write_file", Map.of("path", "more", "content", session)));
                String code = "print(open('name').read().strip(), open('more').read())";
                assertThat(engine.call(ToolCall.of(caller, "execute_code", Map.of("code", code)))
                                .value())
                        .containsEntry("output", session + " " + session + "\n");
                assertThat(engine.call(ToolCall.of(caller, "read_file", Map.of("path", "name")))
                                .value()
                                .get("content")
                                .toString())
                        .contains(session);
            }
            try (var made = Files.list(work)) {
                assertThat(made.map(path -> path.getFileName().toString()))
                        .hasSize(2)
                        .anyMatch(name -> name.matches("talaria-a_.._b-[0-9a-f]{8}"))
                        .anyMatch(name -> name.matches("talaria-c-[0-9a-f]{8}"));
            }
        }
    }

    @Test
    void aWarmSandboxIsClaimedIfItWorks() {
        try (Engine engine = engine(STANDARD.withWarm(2))) {
            await().atMost(SOON).until(() -> engine.sandboxes().size() == 2);
            assertThat(engine.sandboxes()).allMatch(SandboxInfo::warm);
            DockerClient.docker("rm", "-f", backend.opened.getFirst().outsideName());

            assertThat(run(engine, "s", "echo 42"))
                    .containsEntry("output", "42")
                    .doesNotContainKeys("sandbox_recreated", "environment_recreated");

            assertThat(engine.sandboxes()).anySatisfy(info -> {
                assertThat(info.id()).isEqualTo(backend.opened.get(1).id());
                assertThat(info.session()).isEqualTo("s");
            });
            await().atMost(SOON).until(() -> engine.sandboxes().size() == 3);
            assertThat(records()).hasSize(3).extracting(SandboxRecord::session).contains("s");
        }
    }

    @Test
    void aTaskThatRunsHereHasItsFolderHereWhereverTheOthersRun() throws Exception {
        Path work = Files.createDirectory(folder.resolve("work"));
        try (Engine engine = Engine.builder()
                .settings(
                        Settings.defaults(folders()).withCwd(work.toString()).withSandbox(STANDARD.withOwnFolder(true)))
                .backend(backend)
                .build()) {
            engine.override("here", SessionOverride.NONE.withBackend("local"));

            assertThat(run(engine, "here", "pwd").get("output").toString())
                    .startsWith(work.toRealPath() + "/talaria-here-");
        }
    }
}
