package dev.talaria.tests.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.talaria.api.CallEvent;
import dev.talaria.api.Caller;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.admin.SessionOverride;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.SandboxSettings;
import dev.talaria.engine.config.Settings;
import dev.talaria.testkit.Testbed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Containers that sessions share, and images that have to be pulled.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContainerLifecycleTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    @BeforeEach
    void docker() {
        Assumptions.assumeTrue(Testbed.value("DOCKER_IMAGE").isPresent(), Testbed.whyMissing("docker"));
    }

    private static String image() {
        return Testbed.value("DOCKER_IMAGE").orElseThrow();
    }

    private Engine kept(SandboxSettings sandbox) {
        Map<String, String> options = Map.of("image", image(), "persistent", "true", "sandbox-dir", folder.toString());
        return Engine.builder()
                .settings(Settings.defaults(Folders.below(folder.resolve("home")))
                        .withBackend("docker", options)
                        .withSandbox(sandbox))
                .build();
    }

    private static String run(Engine engine, String session, String command) {
        return String.valueOf(
                engine.call(ToolCall.of(new Caller("test", session), "terminal", Map.of("command", command)))
                        .value()
                        .get("output"));
    }

    @Test
    void whatIsKeptIsForAllSessionsOfAllEngines() {
        SandboxSettings standard = SandboxSettings.defaults();
        try (Engine first = kept(standard);
                Engine second = kept(standard);
                Engine named = kept(standard.withSharedKey("team"))) {
            String host = run(first, "mcp-1", "echo one > kept; hostname");
            assertThat(run(first, "mcp-2", "cat kept; hostname")).isEqualTo("one\n" + host);
            first.cleanup("mcp-1"); // other sessions share it
            assertThat(first.sandboxes())
                    .singleElement()
                    .satisfies(info -> assertThat(info.session()).isEqualTo("default"));
            assertThat(run(second, "mcp-3", "cat kept; hostname"))
                    .startsWith("one\n")
                    .doesNotContain(host);
            first.override("apart", SessionOverride.NONE.withOption("pids", "300"));
            assertThat(run(first, "apart", "cat kept; hostname"))
                    .contains("No such file")
                    .doesNotContain(host);
            assertThat(run(named, "mcp-4", "cat kept; echo two > kept")).contains("No such file");
            assertThat(run(named, "mcp-5", "cat kept")).isEqualTo("two");
        }
    }

    @Test
    void callsHearHowAnImageIsPulled() throws Exception {
        Path client = Files.writeString(folder.resolve("docker"), """
                #!/bin/sh
                here=$(dirname "$0")
                case $1 in
                run) [ -e "$here/pulled" ] || { echo "No such image: $*" >&2; exit 125; } ;;
                pull) echo "4f4f: Pulling fs layer"; echo "4f4f: Pull complete"
                    while [ ! -e "$here/go" ]; do sleep 0.05; done
                    : > "$here/pulled"; exit ;;
                esac
                exec docker "$@"
                """);
        Files.setPosixFilePermissions(client, PosixFilePermissions.fromString("rwx------"));
        List<CallEvent.Preparing> heard = new CopyOnWriteArrayList<>();
        try (Engine engine = Engine.builder()
                .settings(Settings.defaults(Folders.below(folder.resolve("home"))))
                .backend("docker", Map.of("image", image(), "binary", client.toString()))
                .listener(event -> {
                    if (event instanceof CallEvent.Preparing preparing) {
                        heard.add(preparing);
                    }
                })
                .build()) {
            ToolCall call = ToolCall.of("terminal", Map.of("command", "echo 42"));
            FutureTask<ToolResult> waiting = new FutureTask<>(() -> engine.call(call));
            Thread.ofVirtual().start(waiting);
            await().atMost(SOON)
                    .until(() -> heard.stream()
                            .anyMatch(event -> event.what()
                                    .equals(Optional.of("the image " + image() + ": 4f4f: Pull complete"))));
            Files.createFile(folder.resolve("go"));

            assertThat(waiting.get().value()).containsEntry("output", "42");
            assertThat(heard).allMatch(event -> event.call().id().equals(call.id()));
            assertThat(heard.getFirst().what()).contains("the image " + image() + ", which is pulled");
            assertThat(heard.getLast().what()).isEmpty();
            heard.clear();
            assertThat(run(engine, "other", "echo 43")).isEqualTo("43");
            assertThat(heard).isEmpty();
        }
    }
}
