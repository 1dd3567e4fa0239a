package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Tests of every run: it prints, it ends, and its end is reported correctly.
interface BasicRuns extends RunSubject {

    @Test
    default void helloComesBackWithTheKeysInTheirOrder() {
        RunResult ran = runs().run("print('hello')");

        assertThat(ran.succeeded()).isEqualTo("hello\n");
        assertThat(ran.value().keySet())
                .startsWith(
                        "status",
                        "output",
                        "exit_code",
                        "tool_calls_made",
                        "duration_seconds",
                        "stdout_truncated",
                        "stdout_bytes_captured",
                        "stdout_bytes_total",
                        "stdout_bytes_omitted")
                .doesNotContain("error", "hint", "warning", "stdout_spill_path");
        assertThat(ran.value())
                .containsEntry("tool_calls_made", 0)
                .containsEntry("stdout_truncated", false)
                .containsEntry("stdout_bytes_total", 6L)
                .containsEntry("stdout_bytes_omitted", 0L);
        assertThat(ran.value("duration_seconds")).isInstanceOf(Double.class);
    }

    @Test
    default void everyExitCodeIsReported() {
        List<Integer> codes = has(Behaviour.SOCKET) && !has(Behaviour.SLOW_FORKS)
                ? IntStream.rangeClosed(0, 255).boxed().toList()
                : List.of(0, 1, 2, 3, 42, 124, 126, 127, 128, 130, 137, 143, 255);

        for (int code : codes) {
            RunResult ran = runs().run(
                            code % 2 == 0
                                    ? "import sys; sys.exit(%d)".formatted(code)
                                    : "import os; os._exit(%d)".formatted(code));

            assertThat(ran.exitCode()).as("%s", ran.value()).isEqualTo(code);
            assertThat(ran.status()).isEqualTo(code == 0 ? "success" : "error");
            if (code != 0) {
                assertThat(ran.error()).contains("code " + code);
            }
        }
    }

    @Test
    default void deathBySignalIsReportedAsSuch() {
        Map<Integer, String> signals =
                Map.of(9, "SIGKILL", 15, "SIGTERM", 11, "SIGSEGV", 6, "SIGABRT", 1, "SIGHUP", 10, "10");

        signals.forEach((number, name) -> {
            RunResult ran =
                    runs().run("import os; print('before', flush=True); os.kill(os.getpid(), %d)".formatted(number));

            assertThat(ran.failed()).contains("signal").contains(name);
            assertThat(ran.exitCode()).isEqualTo(-number);
            assertThat(ran.output()).startsWith("before\n");
        });
    }

    @Test
    default void aCrashOfTheInterpreterIsTold() {
        RunResult ran = runs().run("import ctypes; print('before', flush=True); ctypes.string_at(0)");

        assertThat(ran.failed()).contains("SIGSEGV");
        assertThat(ran.output()).startsWith("before\n");
        assertThat(runs().run("print('next')").succeeded()).isEqualTo("next\n");
    }

    @Test
    default void tracebackShowsTheUsersOwnLinesAndNoFrameOfOurs() {
        RunResult ran = runs().run("""
                def inner(x):
                    return 1 / x

                print("on the way")
                inner(0)
                """);

        assertThat(ran.failed()).contains("ZeroDivisionError: division by zero");
        assertThat(ran.exitCode()).isEqualTo(1);
        List<String> files =
                ran.error().lines().filter(line -> line.startsWith("  File ")).toList();
        assertThat(files).hasSize(2);
        assertThat(files.get(0)).matches("  File \".*/script\\.py\", line 5, in <module>");
        assertThat(files.get(1)).matches("  File \".*/script\\.py\", line 2, in inner");
        assertThat(ran.error())
                .contains("    inner(0)")
                .contains("    return 1 / x")
                .doesNotContain("relay");
        assertThat(ran.output())
                .startsWith("on the way\n\n--- stderr ---\nTraceback (most recent call last):\n")
                .endsWith("ZeroDivisionError: division by zero\n");
    }

    @Test
    default void tracebackOfAChainedExceptionShowsNoFrameOfOurs() {
        RunResult ran = runs().run("""
                try:
                    {}["missing"]
                except KeyError as e:
                    raise ValueError("second") from e
                """);

        assertThat(ran.failed()).contains("KeyError: 'missing'", "ValueError: second", "line 2,", "line 4,");
        assertThat(ran.error().lines().filter(line -> line.startsWith("  File ")))
                .hasSize(2)
                .allMatch(line -> line.contains("script.py"));
    }

    @Test
    default void syntaxErrorNamesTheUsersOwnLine() {
        RunResult ran = runs().run("print('never')\n\nif True\n    pass\n");

        assertThat(ran.failed())
                .contains("SyntaxError")
                .contains("script.py\", line 3")
                .contains("if True");
        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.value()).containsEntry("cause", "syntax_error");
        assertThat(ran.output()).doesNotContain("never").doesNotContain("relay");
        assertThat(ran.error().lines().filter(line -> line.startsWith("  File ")))
                .hasSize(1);
    }

    @Test
    default void stderrHasASectionOfItsOwnOnSuccessToo() {
        RunResult ran = runs().run("import sys; print('out'); print('err', file=sys.stderr)");

        assertThat(ran.succeeded()).isEqualTo("out\n\n--- stderr ---\nerr\n");
        assertThat(ran.number("stdout_bytes_total")).isEqualTo(4);
    }

    @Test
    default void exitWithATextPrintsItAndFails() {
        RunResult ran = runs().run("import sys; sys.exit('no luck today')");

        assertThat(ran.failed()).contains("no luck today");
        assertThat(ran.exitCode()).isEqualTo(1);
    }

    @Test
    default void uncaughtKeyboardInterruptEndsTheScriptAsPythonDoes() {
        RunResult ran = runs().run("raise KeyboardInterrupt");

        assertThat(ran.failed()).contains("KeyboardInterrupt");
        assertThat(ran.exitCode()).isEqualTo(-2);
    }

    @Test
    default void textOfAllKindsArrivesAsItWasPrinted() {
        RunResult ran = runs().run("""
                import sys
                print("Grüße, 世界, \\U0001f40d, \\u0928\\u092e\\u0938\\u094d\\u0924\\u0947")
                sys.stdout.flush()
                sys.stdout.buffer.write(b"bad \\xff byte, cut \\xe4\\xb8\\n")
                """);

        assertThat(ran.succeeded()).isEqualTo("Grüße, 世界, 🐍, नमस्ते\nbad \uFFFD byte, cut \uFFFD\n");
    }

    @Test
    default void standardInputIsAtItsEnd() {
        assertThat(runs().run("import sys; print(repr(sys.stdin.read()))").succeeded())
                .isEqualTo("''\n");
        assertThat(runs().run("input('? ')").failed()).contains("EOFError");
    }

    @Test
    default void argumentsReachTheScript() {
        RunResult ran = runs().run(
                        "import sys, os; print(sys.argv[1:], os.path.basename(sys.argv[0]), __name__, os.path.basename(__file__))",
                        Map.of("args", List.of("a", "b c", "--x=1", "ü")));

        assertThat(ran.succeeded()).isEqualTo("['a', 'b c', '--x=1', 'ü'] script.py __main__ script.py\n");
    }

    @Test
    default void silentSuccessSaysSo() {
        RunResult ran = runs().run("x = 1");

        assertThat(ran.succeeded()).isEmpty();
        assertThat(ran.note()).containsIgnoringCase("no output");
    }

    @Test
    default void windowsLineEndsAndAByteOrderMarkAreNoProblem() {
        assertThat(runs().run("x = 1\r\nif x:\r\n    print('fine')\r\n").succeeded())
                .isEqualTo("fine\n");
        assertThat(runs().run("\uFEFFprint('fine')").succeeded()).isEqualTo("fine\n");
    }

    @Test
    default void runsDoNotSeeEachOther() {
        runs().run("import builtins, os; builtins.left = 1; os.environ['LEFT'] = '1'; import json; json.left = 1");

        assertThat(runs().run("import builtins, json, os; print(hasattr(builtins, 'left'), 'LEFT' in os.environ,"
                                + " hasattr(json, 'left'))")
                        .succeeded())
                .isEqualTo("False False False\n");
    }

    @Test
    default void badArgumentsGetAClearErrorAndStartNothing() {
        assertThat(runs().run("").refused()).contains("code");
        assertThat(runs().run(" \n\t").refused()).contains("code").contains("terminal");
        assertThat(runs().call("execute_code", Map.of("code", 42)).refused())
                .contains("string")
                .contains("number");
        assertThat(runs().call("execute_code", Map.of("code", List.of("print(1)")))
                        .refused())
                .contains("array");
        assertThat(runs().call("execute_code", Map.of("command", "ls -l")).refused())
                .contains("code")
                .contains("terminal");
        assertThat(runs().call("execute_code", Map.of()).refused()).contains("code");
        assertThat(runs().call("no_such_tool", Map.of()).refused())
                .contains("no_such_tool")
                .contains("execute_code");
    }

    @Test
    default void nulBytesInTheCodeAreAnErrorOfTheScript() {
        RunResult ran = runs().run("print('a')\nx = '\0'\n");

        assertThat(ran.failed()).containsIgnoringCase("null byte");
        assertThat(runs().run("print('next')").succeeded()).isEqualTo("next\n");
    }

    @Test
    default void aScriptOfFiveMegabytesRuns() {
        String filler = "# 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 01234567\n";
        String code = filler.repeat(5_000_000 / filler.length() + 1) + "print('reached the end')\nraise ValueError\n";

        RunResult ran = runs().run(code);

        assertThat(ran.failed()).contains("line " + code.lines().count() + ",");
        assertThat(ran.output()).startsWith("reached the end\n");
    }
}
