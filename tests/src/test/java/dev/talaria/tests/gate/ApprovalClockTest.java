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
import java.util.function.IntFunction;
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

    /// Runs a script with a timeout. A busy machine may need longer for the script's own work, so the timeout is
    /// doubled until the output shows that the script came far enough.
    ///
    /// @param patience how long an answer is waited for
    /// @param thinking how long the person takes to answer, by the script's timeout in seconds
    /// @param enough the begin of the output of a script that came far enough
    private ToolResult run(Duration patience, IntFunction<Duration> thinking, String code, String enough) {
        int seconds = 1;
        ToolResult result = run(seconds, patience, thinking.apply(seconds), code);
        while (!output(result).startsWith(enough) && seconds < 32) {
            seconds *= 2;
            result = run(seconds, patience, thinking.apply(seconds), code);
        }
        return result;
    }

    /// Runs a script, and a person thinks for longer than the script may take.
    private ToolResult runWithLongThought(String code, String enough) {
        return run(Duration.ofMinutes(1), seconds -> Duration.ofSeconds(seconds + 1), code, enough);
    }

    private ToolResult run(int seconds, Duration patience, Duration thinking, String code) {
        try (Engine engine = engine(patience, slow(thinking))) {
            engine.warm(Caller.DEFAULT_SESSION); // a busy machine may take seconds to open the sandbox
            return engine.call(ToolCall.of("execute_code", Map.of("code", code, "timeout", seconds)));
        }
    }

    private static String output(ToolResult result) {
        return String.valueOf(result.value().get("output"));
    }

    private static Approver slow(Duration thinking) {
        return _ -> {
            Thread.sleep(thinking);
            return Optional.of(Answer.ONCE);
        };
    }

    @Test
    void theAnswerMayTakeLongerThanTheScript() {
        ToolResult result = runWithLongThought("""
                import threading, time
                from hermes_tools import terminal
                ticks = 0
                def tick():
                    global ticks
                    while True:
                        ticks += 1
                        time.sleep(0.1)
                threading.Thread(target=tick, daemon=True).start()
                print(terminal("rm -rf nothing")["exit_code"], ticks > 5)
                """, "0 True\n");

        assertThat(result.value()).containsEntry("status", "success").containsEntry("output", "0 True\n");
    }

    @Test
    void afterTheAnswerTheClockGoesOn() {
        ToolResult result = runWithLongThought("""
                import time
                from hermes_tools import terminal
                print(terminal("rm -rf nothing")["exit_code"], flush=True)
                time.sleep(600)
                """, "0\n");

        assertThat(result).isInstanceOf(ToolResult.TimedOut.class);
        assertThat(output(result)).startsWith("0\n");
    }

    @Test
    void itStandsNoLongerThanAnAnswerIsWaitedFor() {
        ToolResult result = run(Duration.ofSeconds(1), _ -> Duration.ofMinutes(10), """
                import time
                from hermes_tools import terminal
                print(terminal("rm -rf nothing")["outcome"], flush=True)
                time.sleep(600)
                """, "timeout\n");

        assertThat(result).isInstanceOf(ToolResult.TimedOut.class);
        assertThat(output(result)).startsWith("timeout\n");
    }

    @Test
    void manyQuestionsStopItNoLongerThanOne() {
        ToolResult result = run(2, Duration.ofSeconds(2), Duration.ofSeconds(1), """
                from hermes_tools import terminal
                for i in range(40):
                    print(terminal("rm -rf nothing")["exit_code"], flush=True)
                """);

        assertThat(result).isInstanceOf(ToolResult.TimedOut.class);
        assertThat(output(result).lines().filter("0"::equals))
                .as("with the clock stopped at every question, there would be 40")
                .hasSizeLessThanOrEqualTo(10);
    }
}
