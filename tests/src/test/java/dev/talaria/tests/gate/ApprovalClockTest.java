package dev.talaria.tests.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Answer;
import dev.talaria.api.Approver;
import dev.talaria.api.Caller;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// While a person decides, a script's clock stands still, but its processes run.
final class ApprovalClockTest {
    @TempDir
    private Path folder;

    private Engine engine(Duration timeout, Approver approver) {
        Settings settings = Settings.defaults(Folders.below(folder.resolve("home")));
        return Engine.builder()
                .settings(settings.withApprovals(settings.approvals().withTimeout(timeout)))
                .cwd(folder)
                .approver(approver)
                .build();
    }

    private static ToolResult run(Engine engine, int seconds, String code) {
        engine.warm(Caller.DEFAULT_SESSION); // a busy machine may take seconds to open the sandbox
        return engine.call(ToolCall.of("execute_code", Map.of("code", code, "timeout", seconds)));
    }

    private static Approver slow(Duration thinking) {
        return _ -> {
            Thread.sleep(thinking);
            return Optional.of(Answer.ONCE);
        };
    }

    @Test
    void theAnswerMayTakeLongerThanTheScript() {
        try (Engine engine = engine(Duration.ofMinutes(1), slow(Duration.ofSeconds(9)))) {
            ToolResult result = run(engine, 6, """
                    import threading, time
                    from hermes_tools import terminal
                    ticks = 0
                    def tick():
                        global ticks
                        while True:
                            ticks += 1
                            time.sleep(0.1)
                    threading.Thread(target=tick, daemon=True).start()
                    print(terminal("rm -rf nothing")["exit_code"], ticks > 15)
                    """);

            assertThat(result.value()).containsEntry("status", "success").containsEntry("output", "0 True\n");
        }
    }

    @Test
    void afterTheAnswerTheClockGoesOn() {
        try (Engine engine = engine(Duration.ofMinutes(1), slow(Duration.ofSeconds(8)))) {
            ToolResult result = run(engine, 6, """
                    import time
                    from hermes_tools import terminal
                    print(terminal("rm -rf nothing")["exit_code"], flush=True)
                    time.sleep(600)
                    """);

            assertThat(result).isInstanceOf(ToolResult.TimedOut.class);
            assertThat(result.value().get("output")).asString().startsWith("0\n");
        }
    }

    @Test
    void itStandsNoLongerThanAnAnswerIsWaitedFor() {
        try (Engine engine = engine(Duration.ofSeconds(1), slow(Duration.ofMinutes(10)))) {
            ToolResult result = run(engine, 6, """
                    import time
                    from hermes_tools import terminal
                    print(terminal("rm -rf nothing")["outcome"], flush=True)
                    time.sleep(600)
                    """);

            assertThat(result).isInstanceOf(ToolResult.TimedOut.class);
            assertThat(result.value().get("output")).asString().startsWith("timeout\n");
        }
    }

    @Test
    void manyQuestionsStopItNoLongerThanOne() {
        try (Engine engine = engine(Duration.ofSeconds(2), slow(Duration.ofSeconds(1)))) {
            ToolResult result = run(engine, 6, """
                    from hermes_tools import terminal
                    for i in range(40):
                        print(terminal("rm -rf nothing")["exit_code"], flush=True)
                    """);

            assertThat(result).isInstanceOf(ToolResult.TimedOut.class);
            assertThat(result.value().get("output").toString().lines().filter("0"::equals))
                    .as("with the clock stopped at every question, there would be 40")
                    .hasSizeLessThanOrEqualTo(10);
        }
    }
}
