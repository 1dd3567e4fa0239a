package dev.talaria.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The messages for a model when a container reaches its limits.
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContainerLimitsTest {
    private static final String HOG = "import os; b = []\nwhile True: b.append(os.urandom(1 << 22))";

    @TempDir
    Path home;

    static RunTarget[] targets() {
        return new RunTarget[] {RunTargets.dockerStream(), RunTargets.podmanStream()};
    }

    @ParameterizedTest
    @MethodSource("targets")
    void aLimitThatIsReachedIsNamed(RunTarget target) {
        assumeTrue(target.missing().isEmpty(), () -> target.missing().orElse(""));
        Map<String, String> options = new HashMap<>(target.options());
        options.putAll(Map.of("memory", "128m", "pids", "60"));
        Settings settings = Settings.defaults(Folders.below(home)).withBackend(target.backend(), options);
        try (Engine engine = Engine.builder().settings(settings).build()) {
            Map<String, Object> script = call(engine, "execute_code", "code", HOG);
            assertThat(script).containsEntry("cause", "out_of_memory").containsEntry("exit_code", -9);
            assertThat(script.get("error")).asString().contains("Out of memory", "128 MiB", "option memory");

            Map<String, Object> command =
                    call(engine, "terminal", "command", "python3 -c '" + HOG.replace("\n", "'$'\\n''") + "'; exit $?");
            assertThat(command).containsEntry("exit_code", 137);
            assertThat(command.get("exit_code_meaning")).asString().contains("Out of memory", "128 MiB");

            Map<String, Object> killed = call(engine, "terminal", "command", "kill -9 $$");
            assertThat(killed.get("exit_code_meaning")).asString().doesNotContain("Out of memory");

            Map<String, Object> well = call(engine, "execute_code", "code", "print('still here')");
            assertThat(well.get("output")).asString().contains("still here");

            Map<String, Object> host = call(
                    engine, "execute_code", "code", "import socket; socket.create_connection(('example.com', 80))");
            assertThat(host.get("hint")).asString().contains("no network", "TERMINAL_DOCKER_NETWORK");
            Map<String, Object> lookUp =
                    call(engine, "terminal", "command", "python3 -c \"import socket; socket.gethostbyname('a.b')\"");
            assertThat(lookUp.get("hint")).asString().contains("no network", target.backend() + ".network");

            Map<String, Object> many =
                    call(engine, "terminal", "command", "for i in $(seq 80); do sleep 5 & done; exit 3");
            assertThat(many.get("hint")).asString().contains("60 processes", target.backend() + ".pids");
        }
    }

    private static Map<String, Object> call(Engine engine, String tool, String name, String value) {
        return engine.call(ToolCall.of(tool, Map.of(name, value))).value();
    }
}
