package dev.talaria.tests.leaks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.testkit.Testbed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The record of a sandbox, which allows its removal, contains no secrets of its commands.
class RecordedSecretsTest {
    @TempDir
    private Path home;

    @Test
    void valuesForCommandsAreNotOnRecord() throws Exception {
        String image = Testbed.value("DOCKER_IMAGE").orElse("");
        Assumptions.assumeFalse(image.isEmpty(), Testbed.whyMissing("docker"));
        Folders folders = Folders.below(home);
        try (Engine engine = Engine.builder()
                .settings(Settings.defaults(folders))
                .backend("docker", Map.of("image", image, "env", "{\"PLANTED\":\"7c1e55-value\"}"))
                .build()) {
            assertThat(engine.call(ToolCall.of("terminal", Map.of("command", "echo ${#PLANTED}")))
                            .value())
                    .containsEntry("output", "12");

            try (Stream<Path> files = Files.list(folders.sandboxes())) {
                List<Path> records = files.toList();
                assertThat(records).hasSize(1);
                assertThat(Files.readString(records.getFirst())).contains(image).doesNotContain("7c1e55-value");
            }
        }
    }
}
