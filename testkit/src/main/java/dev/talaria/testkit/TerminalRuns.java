package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Caller;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Gate;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests the result of a command, and the fate of its processes.
interface TerminalRuns extends RunSubject {

    @Test
    default void keysComeInTheirOrder() {
        Terminal terminal = Terminal.fresh(runs());
        var _ = terminal.run("true"); // the first result of a sandbox may contain more
        RunResult ran = terminal.run("cd /; grep nothing /dev/null");
        List<String> expected = new ArrayList<>(List.of("output", "exit_code", "error"));
        if (has(Behaviour.PYTHON)) {
            expected.add("cwd");
        }
        expected.add("exit_code_meaning");
        if (!has(Behaviour.PYTHON) || !has(Behaviour.BASH)) {
            expected.add("fallback");
        }
        expected.add("isolation");
        assertThat(ran.value().keySet()).containsExactlyElementsOf(expected);
        assertThat(ran.value().get("error")).isNull();
        expected.removeAll(List.of("cwd", "exit_code_meaning"));
        assertThat(terminal.run("true").value().keySet()).containsExactlyElementsOf(expected);
    }

    @Test
    default void blankLinesAtBothEndsAreNotShown() {
        Map<String, Object> blank = Map.of("command", "echo; echo '  one'; echo; echo two; echo; echo");
        assertThat(runs().call("terminal", blank).output()).isEqualTo("  one\n\ntwo");
        assertThat(runs().call("terminal", Map.of("command", "sleep 60", "timeout", 1))
                        .output())
                .isEqualTo("[Command timed out after 1s]");
        assertThat(Terminal.shared(runs()).output("echo; echo one; echo")).isEqualTo("\none\n\n");
    }

    @Test
    default void anApprovalIsToldBeforeWhatTheExitCodeMeans() {
        Gate gate = (_, _) -> new Gate.Decision.Allowed("approved", Optional.of("Approved by the user (once)."));
        try (Engine engine = runs().builder(UnaryOperator.identity()).gate(gate).build()) {
            Terminal terminal = new Terminal(engine, Caller.java());
            var _ = terminal.run("true");
            assertThat(terminal.run("grep nothing /dev/null").value().keySet())
                    .containsSubsequence("error", "approval", "exit_code_meaning", "isolation");
            assertThat(terminal.cancelOnceBegun("echo begun; sleep 600", "enough")
                            .text("approval"))
                    .isEqualTo("Approved by the user (once), then interrupted.");
        }
    }

    @Test
    default void anArgumentThatNobodyReadsIsNamed() {
        RunResult ran = Terminal.shared(runs()).run("echo ran", Map.of("work_dir", "/"));
        assertThat(ran.output()).isEqualTo("ran\n");
        assertThat(ran.text("ignored_arguments")).contains("'work_dir'", "workdir");
        assertThat(Terminal.shared(runs())
                        .run("cat", Map.of("stdin_data", "x", "notify_on_complete", false))
                        .value())
                .doesNotContainKey("ignored_arguments");
    }

    @Test
    default void aTimeoutEndsTheWholeTreeAndKeepsTheOutput() {
        Terminal terminal = Terminal.shared(runs());
        RunResult ran = RunSubject.untilTimeout(
                timeout -> terminal.run("setsid sleep 4711 & echo $!; echo partial; sleep 4711", timeout),
                output -> output.contains("partial"));
        assertThat(ran.result()).isInstanceOf(ToolResult.TimedOut.class);
        assertThat(ran.exitCode()).isEqualTo(124);
        assertThat(ran.output()).contains("partial").containsPattern("\\[Command timed out after \\d+s]$");
        if (has(Behaviour.WHOLE_TREE)) {
            long pid = Long.parseLong(ran.output().lines().findFirst().orElseThrow());
            assertThat(runs().living(Set.of(pid))).isEmpty();
        }
    }

    @Test
    default void anInterruptEndsTheWholeTreeAndKeepsTheOutput() {
        RunResult ran = Terminal.shared(runs()).cancelOnceBegun("echo begun; sleep 4711", "the user pressed Ctrl-C");
        assertThat(ran.result()).isInstanceOf(ToolResult.Cancelled.class);
        assertThat(ran.exitCode()).isEqualTo(130);
        assertThat(ran.output()).isEqualTo("begun\n\n[Command interrupted]");
    }

    @Test
    default void aCommandThatMayHaveRunIsNotRunAgain() {
        if (!writes()) {
            return;
        }
        Terminal terminal = Terminal.fresh(runs());
        terminal.run("rm -f lost; export KEPT=1");
        String relay = "up() { set -- $(sed 's/.*) //' /proc/$1/stat); echo $2; }; "
                + (has(Behaviour.PYTHON)
                        ? "top=$$; while grep -qs python /proc/$(up $top)/comm; do top=$(up $top); done"
                        : "top=$(up $$)");

        RunResult ran =
                terminal.run("echo ran >> lost; " + relay + "; kill -9 $top; sleep 600", Map.of("timeout", 100));

        assertThat(ran.result())
                .isInstanceOfSatisfying(
                        ToolResult.Failed.class,
                        failed -> assertThat(failed.code()).isEqualTo(ErrorCode.SANDBOX_LOST));
        assertThat(ran.value()).containsEntry("exit_code", -1).containsEntry("status", "error");
        assertThat(ran.error()).contains("not run again").contains("may have run");
        RunResult next = terminal.run("cat lost; echo ${KEPT-gone}");
        assertThat(next.output()).isEqualTo("ran\ngone\n");
        if (has(Behaviour.PYTHON)) {
            assertThat(next.value().keySet()).startsWith("output", "exit_code", "error", "environment_recreated");
            assertThat(next.text("environment_recreated")).contains("variables and folder");
        }
        assertThat(terminal.run("true").value()).doesNotContainKey("environment_recreated");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sleep 600 & echo done",
                "true && sleep 600 & echo done",
                "(setsid sleep 600 &); echo done",
                "{ sleep 600; } & command -v disown > /dev/null && disown; echo done",
            })
    default void whatIsLeftRunningHoldsNobodyUp(String command) {
        RunResult ran = Terminal.shared(runs()).run(command, Map.of("timeout", 100));
        assertThat(ran.output()).isEqualTo("done\n");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.number("processes_ended")).isPositive();
        assertThat(ran.text("hint")).contains("background=true");
    }

    @Test
    default void inputOfAnySizeAndContentArrives() {
        byte[] input = new byte[10 << 20];
        new Random(4711).nextBytes(input);
        RunResult ran = Terminal.shared(runs()).run("wc -c", Map.of("stdin_data", input));
        assertThat(ran.output().strip()).isEqualTo(String.valueOf(input.length));
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        assertThat(Terminal.shared(runs())
                        .run("od -An -v -tu1 | tr -s ' \\n' ' '", Map.of("stdin_data", all))
                        .output()
                        .strip()
                        .split(" "))
                .isEqualTo(IntStream.range(0, 256).mapToObj(String::valueOf).toArray());
        assertThat(Terminal.shared(runs())
                        .run("head -c 3", Map.of("stdin_data", "abcdef".repeat(1 << 20)))
                        .output())
                .isEqualTo("abc");
    }

    @Test
    default void badInputIsExplained() {
        Terminal terminal = Terminal.shared(runs());
        assertThat(terminal.run(" \n").refused()).contains("empty");
        assertThat(terminal.run("echo a\0b").refused()).contains("NUL").contains("write_file");
        assertThat(terminal.run("echo " + "x".repeat(1_000_000)).refused()).contains("write_file");
        assertThat(terminal.run("true", Map.of("timeout", 0)).refused()).contains("positive");
        assertThat(terminal.run("true", Map.of("timeout", -5)).refused()).contains("-5");
        assertThat(runs().call("terminal", Map.of("command", List.of("ls", "-l")))
                        .refused())
                .contains("string")
                .contains("array");
        assertThat(runs().call("terminal", Map.of("code", "print(1)")).refused())
                .contains("execute_code");
        RunResult refused = runs().call("terminal", Map.of());
        assertThat(refused.value().keySet()).containsExactly("output", "exit_code", "error", "status");
    }

    @Test
    default void aMaskedFailureIsPointedOut() {
        RunResult ran = Terminal.shared(runs()).run("true; printf 'make: *** [all] Error 1\\n' | tail -5");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.text("hint")).contains("pipefail");
    }

    @Test
    default void longOutputKeepsHeadAndTail() {
        RunResult ran = Terminal.shared(runs()).run("echo first; seq 1 50000; echo last");
        assertThat(ran.output()).startsWith("first\n").endsWith("last\n");
        assertThat(ran.output().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(60_000);
        assertThat(ran.text("full_output_path")).isNotEmpty();
        RunResult wide = Terminal.shared(runs()).run("yes ä€😀 | head -20000");
        assertThat(wide.number("output_total_chars")).isEqualTo(4 * 20_000);
    }
}
