package dev.talaria.tests.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// If the working folder is missing, every sandbox says so, and not that Python is missing.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MissingFolderTest {
    private static final String NOWHERE = "/proc/nowhere/at-all"; // nobody can create it

    @TempDir
    Path folder;

    static Stream<RunTarget> targets() {
        return Stream.of(
                RunTargets.localUds(),
                RunTargets.localWithoutPython(),
                RunTargets.bubblewrapUds(),
                RunTargets.dockerStream(),
                RunTargets.dockerEntered(),
                RunTargets.dockerBare(),
                RunTargets.gvisorStream(),
                RunTargets.podmanStream(),
                RunTargets.apptainerStream(),
                RunTargets.sshUserStream());
    }

    @ParameterizedTest
    @MethodSource("targets")
    void itIsNamed(RunTarget target) {
        Assumptions.assumeTrue(
                target.missing().isEmpty(), () -> target.missing().orElse(""));
        Settings settings = Settings.defaults(Folders.below(folder))
                .withBackend(target.backend(), target.options())
                .withCwd(NOWHERE);

        try (Engine engine = Engine.builder().settings(settings).build()) {
            for (ToolCall call : new ToolCall[] {
                ToolCall.of("terminal", Map.of("command", "echo hi")),
                ToolCall.of("execute_code", Map.of("code", "print(1)"))
            }) {
                Map<String, Object> value = engine.call(call).value();
                String said = value.get("error") + " " + value.get("output");
                assertThat(said)
                        .contains("no folder " + NOWHERE + " to work in")
                        .doesNotContain("Python");
                assertThat(value).doesNotContainKey("retry_hint");
            }
        }
    }
}
