package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.ApprovalMode;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Background processes on a terminal of their own.
interface ProcessTerminalRuns extends ProcessSubject {
    @Test
    default void anInterpreterTalksOnATerminal() {
        if (!hasTerminals()) {
            return;
        }
        try (Engine engine = runs().another(
                        settings -> settings.withApprovals(settings.approvals().withMode(ApprovalMode.ALLOW)))) {
            talk(call -> new RunResult(engine.call(call)));
        }
    }

    private static void talk(Function<ToolCall, RunResult> engine) {
        String id = ProcessSubject.id(engine.apply(
                ToolCall.of("terminal", Map.of("command", "exec python3 -q -i", "background", true, "pty", true))));
        BiFunction<String, Map<String, Object>, RunResult> process = (action, more) -> {
            Map<String, Object> arguments = new HashMap<>(Map.of("action", action, "session_id", id));
            arguments.putAll(more);
            return engine.apply(ToolCall.of("process", arguments));
        };
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(process.apply("poll", Map.of()).text("output_preview"))
                        .contains(">>>"));

        var _ = process.apply("submit", Map.of("data", "6*7"));
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(process.apply("poll", Map.of()).text("output_preview"))
                        .contains("42\n"));
        var _ = process.apply("submit", Map.of("data", "import time; print('z' * 3); time.sleep(600)"));
        await().atMost(SOON) // an interrupt discards typed text that is not yet read
                .untilAsserted(() -> assertThat(process.apply("poll", Map.of()).text("output_preview"))
                        .contains("zzz\n"));
        var _ = process.apply("write", Map.of("data", "\u0003"));
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(process.apply("poll", Map.of()).text("output_preview"))
                        .contains("KeyboardInterrupt"));
        var _ = process.apply("submit", Map.of("data", "40+3")); // Python ends by SIGINT if that was its last input
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(process.apply("poll", Map.of()).text("output_preview"))
                        .contains("43\n"));
        var _ = process.apply("close", Map.of());
        assertThat(process.apply("wait", Map.of("timeout", 100)).value())
                .containsEntry("status", "exited")
                .containsEntry("exit_code", 0);
    }

    @Test
    default void aFullScreenProgramRunsOnATerminal() {
        if (!hasTerminals()) {
            return;
        }
        RunResult there = runs().call("terminal", Map.of("command", "command -v top"));
        assumeThat(there.value()).as("there is a top here").containsEntry("exit_code", 0);
        String id = ProcessSubject.id(begin("top", Map.of("pty", true)));
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(process("log", id).text("output")).containsIgnoringCase("PID"));

        process("write", id, Map.of("data", "q"));

        assertThat(process("wait", id, Map.of("timeout", 100)).value())
                .containsEntry("status", "exited")
                .containsEntry("exit_code", 0);
    }

    @Test
    default void controlCIsWritten() {
        if (!hasTerminals()) {
            return;
        }
        String id = ProcessSubject.id(begin("echo ready; sleep 600; echo $?", Map.of("pty", true)));
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(process("poll", id).text("output_preview")).contains("ready"));

        process("write", id, Map.of("data", "\u0003"));

        assertThat(process("wait", id, Map.of("timeout", 100)).value())
                .containsEntry("status", "exited")
                .satisfies(value -> assertThat(value.get("exit_code")).isNotEqualTo(0));
    }

    @Test
    default void aPasswordIsAskedForOnATerminalAndNotEchoed() {
        if (!hasTerminals()) {
            return;
        }
        runs().call(
                        "write_file",
                        Map.of(
                                "path",
                                runs().writable() + "/ask.py",
                                "content",
                                "import getpass\nprint(len(getpass.getpass('Secret: ')))\n"));
        String id = ProcessSubject.id(begin("python3 " + runs().writable() + "/ask.py", Map.of("pty", true)));
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(process("poll", id).text("output_preview")).contains("Secret:"));

        process("submit", id, Map.of("data", "hush-hush"));

        RunResult over = process("wait", id, Map.of("timeout", 100));
        assertThat(over.text("output")).contains("9\n").doesNotContain("hush");
    }

    @Test
    default void aTerminalHasASizeThatCanChange() {
        if (!hasTerminals()) {
            return;
        }
        String id = ProcessSubject.id(
                begin("trap 'stty size' WINCH; stty size; echo; while :; do sleep 0.05; done", Map.of("pty", true)));
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(process("poll", id).text("output_preview")).contains("30 120"));

        process("resize", id, Map.of("rows", 40, "columns", 100));

        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(process("poll", id).text("output_preview")).contains("40 100"));
        assertThat(process("kill", id).value()).containsEntry("status", "killed");
    }

    /// Returns whether a process can have a terminal. If not, asserts that the refusal says what to
    /// do.
    private boolean hasTerminals() {
        if (!has(Behaviour.PYTHON)) {
            assertThat(begin("sleep 600", Map.of("pty", true)).refused())
                    .contains("There is no Python in sandbox")
                    .contains("Install python3")
                    .contains("without pty");
        }
        return has(Behaviour.PYTHON);
    }
}
