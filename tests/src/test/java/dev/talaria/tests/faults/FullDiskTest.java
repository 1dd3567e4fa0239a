package dev.talaria.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A full disk below the state folder")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FullDiskTest {
    @TempDir
    Path folder;

    private Folders folders;

    @BeforeEach
    void fill() throws Exception {
        folders = Folders.below(folder.resolve("talaria"));
        Folders.create(folders.state());
        Assumptions.assumeTrue(
                run(
                                "mount",
                                "-t",
                                "tmpfs",
                                "-o",
                                "size=64k,mode=700",
                                "tmpfs",
                                folders.state().toString())
                        == 0,
                "file systems cannot be mounted here");
        try (var out = Files.newOutputStream(folders.state().resolve("fill"))) {
            while (true) {
                out.write(new byte[4096]);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }

    @AfterEach
    void empty() throws Exception {
        run("umount", folders.state().toString());
    }

    private static int run(String... words) throws Exception {
        return new ProcessBuilder(words).redirectErrorStream(true).start().waitFor();
    }

    private Map<String, Object> call(String tool, Map<String, Object> arguments) {
        Settings settings = Settings.defaults(folders).withCwd(folder.toString());
        try (Engine engine = Engine.builder().settings(settings).build()) {
            return engine.call(ToolCall.of(tool, arguments)).value();
        }
    }

    @Test
    @DisplayName("is named if a surviving process cannot be started")
    void isNamedForAProcess() {
        Map<String, Object> value =
                call("terminal", Map.of("command", "sleep 60", "background", true, "persist_on_release", true));

        assertThat(value.get("error"))
                .asString()
                .contains("The process could not be started: ")
                .contains("No space left on device");
    }

    @Test
    @DisplayName("stops no script, and is named if output cannot be saved")
    void isNamedForASpill() {
        Map<String, Object> value = call("execute_code", Map.of("code", "print('x' * 200000)"));

        assertThat(value).containsEntry("status", "success");
        assertThat(value.toString()).contains("The full output could not be saved: No space left on device");
    }
}
