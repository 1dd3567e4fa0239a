package dev.talaria.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.testkit.ChildJvm;
import dev.talaria.testkit.RunTargets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A background process prints a hundred megabytes. Neither memory nor disk grows with them.
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BackgroundFloodTest {

    @Test
    void aFloodNeedsNoMemory(@TempDir Path folder) throws Exception {
        try (ChildJvm jvm = ChildJvm.start(
                RunTargets.localUds(),
                folder,
                folder.toString(),
                Optional.empty(),
                Map.of("JAVA_TOOL_OPTIONS", "-Xmx40m"))) {
            Object id = jvm.call(
                            "terminal",
                            Map.of(
                                    "command",
                                    "yes 0123456789012345678901234567890123456789012345678 | head -n 2000000; echo over",
                                    "background",
                                    true))
                    .get("session_id");

            Map<String, Object> over = jvm.call("process", Map.of("action", "wait", "session_id", id, "timeout", 50));

            assertThat(over).containsEntry("exit_code", 0);
            assertThat(String.valueOf(over.get("output"))).endsWith("over\n");
            assertThat(jvm.call("process", Map.of("action", "log", "session_id", id, "limit", 2))
                            .get("output"))
                    .isEqualTo("0123456789012345678901234567890123456789012345678\nover");
            try (Stream<Path> files = Files.walk(folder.resolve("home/state/processes"))) {
                assertThat(files.filter(Files::isRegularFile)
                                .mapToLong(file -> file.toFile().length())
                                .sum())
                        .isBetween(4L << 20, 17L << 20);
            }
        }
    }

    @ParameterizedTest(name = "survives {0}")
    @ValueSource(booleans = {false, true})
    void linesKeepTheirNumbersWhenTheOldestAreDropped(boolean survives, @TempDir Path folder) {
        Settings settings =
                Settings.defaults(Folders.below(folder.resolve("home"))).withCwd(folder.toString());
        try (Engine engine = Engine.builder().settings(settings).build()) {
            Map<String, Object> flood =
                    Map.of("command", "seq 0 1899999", "background", true, "persist_on_release", survives);
            Object id = engine.call(ToolCall.of("terminal", flood)).value().get("session_id");
            engine.call(ToolCall.of("process", Map.of("action", "wait", "session_id", id, "timeout", 50)));

            Map<String, Object> head = log(engine, id, 0);

            assertThat(head).containsEntry("total_lines", 1_900_000L);
            assertThat(head.get("output")).isEqualTo(String.valueOf(head.get("lines_dropped")));
            assertThat(String.valueOf(head.get("showing"))).startsWith("lines " + head.get("lines_dropped") + " to ");
            assertThat(log(engine, id, 1_899_000)).containsEntry("output", "1899000");
        }
    }

    private static Map<String, Object> log(Engine engine, Object id, int offset) {
        return engine.call(
                        ToolCall.of("process", Map.of("action", "log", "session_id", id, "offset", offset, "limit", 1)))
                .value();
    }
}
