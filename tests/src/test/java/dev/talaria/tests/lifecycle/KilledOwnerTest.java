package dev.talaria.tests.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.talaria.api.ToolCall;
import dev.talaria.backends.container.DockerBackend;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.sandbox.SandboxRecord;
import dev.talaria.engine.sandbox.SandboxRegistry;
import dev.talaria.testkit.DockerClient;
import dev.talaria.testkit.JavaCommand;
import dev.talaria.testkit.Testbed;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A Talaria is killed with -9. The next one removes its sandboxes, except for those that are still in use.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledOwnerTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    @BeforeEach
    void docker() {
        Assumptions.assumeTrue(Testbed.value("DOCKER_IMAGE").isPresent(), Testbed.whyMissing("docker"));
    }

    private List<SandboxRecord> records() {
        return SandboxRecord.all(Folders.below(folder));
    }

    private Process start(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(folder.toString()));
        arguments.addAll(List.of(more));
        List<String> command =
                JavaCommand.of(JavaCommand.classPath(), KilledEngine.class.getName(), arguments.toArray(String[]::new));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String line(Process process, String start) throws IOException {
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(start)) {
                return line;
            }
        }
        throw new IOException("It has ended without saying '" + start + "'");
    }

    private Engine engine() {
        return Engine.builder()
                .settings(Settings.defaults(Folders.below(folder)))
                .backend(new MadeContainers())
                .build();
    }

    @Test
    void whatItHadOpenedIsTakenAwayAndWhatALivingOneHasIsNot() throws Exception {
        Process killed = start();
        Process living = start();
        try {
            line(killed, "open ");
            line(living, "open ");
            await().atMost(SOON)
                    .until(() -> records().stream().allMatch(one -> one.name().isPresent()));
            assertThat(records()).hasSize(2);
            killed.destroyForcibly().waitFor();

            try (Engine _ = engine()) {
                await().atMost(SOON).until(() -> records().size() == 1);
            }

            assertThat(records()).singleElement().satisfies(record -> {
                assertThat(record.owner().process().pid()).isEqualTo(living.pid());
                assertThat(DockerClient.exists("talaria-" + record.id())).isTrue();
            });
        } finally {
            List<SandboxRecord> left = records();
            killed.destroyForcibly().waitFor();
            living.destroyForcibly().waitFor();
            MadeContainers backend = new MadeContainers();
            SandboxRegistry registry = new SandboxRegistry(Folders.below(folder), _ -> Optional.of(backend));
            registry.sweep();
            assertThat(left).noneMatch(record -> DockerClient.exists("talaria-" + record.id()));
        }
        assertThat(records()).isEmpty();
    }

    @Test
    void whatItHadOnlyBegunToOpenIsTakenAwayWhenItAppears() throws Exception {
        Path gate = folder.resolve("gate");
        Process killed = start(gate.toString());
        try {
            line(killed, "opening");
            // The record comes first. A kill between the two would leave no client that goes on.
            await().atMost(SOON).until(() -> Files.exists(folder.resolve("gate.waits")));
        } finally {
            killed.destroyForcibly().waitFor();
        }
        SandboxRecord record = records().getFirst();
        MadeContainers backend = new MadeContainers();
        SandboxRegistry registry = new SandboxRegistry(Folders.below(folder), _ -> Optional.of(backend));
        assertThat(registry.sweep().halfOpen()).isTrue();
        assertThat(records()).hasSize(1); // the next sweep looks for it again

        Files.writeString(gate, ""); // the client continues with its order
        await().atMost(SOON).until(() -> DockerClient.exists("talaria-" + record.id()));
        registry.sweep();

        assertThat(DockerClient.exists("talaria-" + record.id())).isFalse();
        Path file = folder.resolve("state/sandboxes/" + record.id() + ".json");
        Files.writeString(file, Files.readString(file).replace("\"leased\":\"20", "\"leased\":\"19")); // as if long ago
        assertThat(registry.sweep().halfOpen()).isFalse();
        assertThat(records()).isEmpty();
    }

    /// The same with the real backend and `docker`, whose client goes on when Talaria is killed.
    @Test
    void whatTheBackendForDockerHadOnlyBegunToMakeIsTakenAwayWhenItAppears() throws Exception {
        Path gate = folder.resolve("gate");
        Path client = Files.writeString(folder.resolve("client"), """
                #!/bin/sh
                if [ "$1" = run ]; then
                    : > %1$s.waits
                    while [ ! -e %1$s ]; do sleep 0.05; done
                fi
                exec docker "$@"
                """.formatted(gate));
        Files.setPosixFilePermissions(client, PosixFilePermissions.fromString("rwx------"));
        Process killed = start("docker", client.toString(), DockerClient.image());
        try {
            await().atMost(SOON).until(() -> Files.exists(folder.resolve("gate.waits")));
        } finally {
            killed.destroyForcibly().waitFor();
        }
        SandboxRecord record = records().getFirst();
        DockerBackend backend = new DockerBackend();
        SandboxRegistry registry = new SandboxRegistry(Folders.below(folder), _ -> Optional.of(backend));
        assertThat(registry.sweep().halfOpen()).isTrue();
        assertThat(records()).hasSize(1); // the next sweep looks for it again

        Files.writeString(gate, "");
        await().atMost(SOON).until(() -> DockerClient.exists("talaria-" + record.id()));
        registry.sweep();

        assertThat(DockerClient.exists("talaria-" + record.id())).isFalse();
    }

    @Test
    void aSandboxInWhichAProcessSurvivesIsSpared() throws Exception {
        Process killed = start("here");
        String process;
        SandboxRecord record;
        try {
            process = line(killed, "open ").substring("open ".length());
            await().atMost(SOON)
                    .until(() -> records().stream()
                            .anyMatch(one ->
                                    one.name().isPresent() && !one.survivors().isEmpty()));
            record = records().getFirst();
        } finally {
            killed.destroyForcibly().waitFor();
        }
        MadeContainers backend = new MadeContainers();
        SandboxRegistry registry = new SandboxRegistry(Folders.below(folder), _ -> Optional.of(backend));
        assertThat(registry.sweep().removed()).isEmpty();
        assertThat(DockerClient.exists("talaria-" + record.id())).isTrue();
        assertThat(record.survivors())
                .singleElement()
                .satisfies(one -> assertThat(one.id()).isEqualTo(process));

        try (Engine engine = engine()) {
            assertThat(engine.call(ToolCall.of("process", Map.of("action", "kill", "session_id", process)))
                            .value())
                    .containsEntry("status", "killed");
        }

        await().atMost(SOON).until(() -> registry.sweep().removed().size() == 1);
        assertThat(DockerClient.exists("talaria-" + record.id())).isFalse();
        assertThat(records()).isEmpty();
    }
}
