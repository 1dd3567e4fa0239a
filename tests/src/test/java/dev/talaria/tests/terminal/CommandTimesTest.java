package dev.talaria.tests.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Limit;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.config.TerminalSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The operator sets the timeouts of commands.
final class CommandTimesTest {
    private static final TerminalSettings SHORT =
            TerminalSettings.defaults().withTimeout(new Limit<>(Duration.ofSeconds(1), Duration.ofSeconds(2)));

    @TempDir
    private Path home;

    private Engine engine(TerminalSettings settings) {
        return Engine.builder()
                .settings(Settings.defaults(Folders.below(home)).withTerminal(settings))
                .build();
    }

    private static ToolResult run(Engine engine, Map<String, Object> arguments) {
        return engine.call(ToolCall.of("terminal", arguments));
    }

    @Test
    void theConfiguredTimesCount() {
        try (Engine engine = engine(SHORT)) {
            ToolResult ended = run(engine, Map.of("command", "sleep 600"));
            assertThat(ended).isInstanceOf(ToolResult.TimedOut.class);
            assertThat((String) ended.value().get("output")).contains("timed out after 1s");

            ToolResult promoted = run(engine, Map.of("command", "sleep 600", "timeout", 3));
            assertThat(promoted).isInstanceOf(ToolResult.Backgrounded.class);
            assertThat((String) promoted.value().get("promoted_from_foreground"))
                    .contains("2 s", "3 s");

            String id = String.valueOf(promoted.value().get("session_id"));
            ToolResult waited =
                    engine.call(ToolCall.of("process", Map.of("action", "wait", "session_id", id, "timeout", 600)));
            assertThat((String) waited.value().get("timeout_note")).contains("1 s at most");
        }
    }

    @Test
    void theOperatorCanHaveLongCommandsEndedInstead() {
        try (Engine engine = engine(SHORT.withPromote(false))) {
            ToolResult ended = run(engine, Map.of("command", "sleep 600", "timeout", 3));
            assertThat(ended).isInstanceOf(ToolResult.TimedOut.class);
            assertThat((String) ended.value().get("output")).contains("timed out after 2s");
            assertThat(run(engine, Map.of("command", "sleep 600", "yield_on_timeout", true)))
                    .isInstanceOf(ToolResult.TimedOut.class);
        }
    }
}
