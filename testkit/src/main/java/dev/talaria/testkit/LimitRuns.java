package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Caller;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Limit;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Tests limits: they exist by default, calls change them up to a ceiling, and results report what
/// was used and allowed.
interface LimitRuns extends RunSubject {

    @Test
    default void limitsAreToldAsUsedAndAllowed() {
        RunResult ran = runs().run("""
                import sys
                from hermes_tools import echo
                echo(1), echo(2)
                print("x" * 99)
                print("y" * 49, file=sys.stderr)
                """);

        ran.succeeded();
        assertThat(ran.limit("timeout_seconds").get("allowed")).isEqualTo(300L);
        assertThat(ran.limit("tool_calls")).isEqualTo(Map.of("used", 2, "allowed", 50));
        assertThat(ran.limit("stdout_bytes")).isEqualTo(Map.of("used", 100L, "allowed", 50_000));
        assertThat(ran.limit("stderr_bytes")).isEqualTo(Map.of("used", 50L, "allowed", 10_000));
        assertThat(ran.limit("memory_bytes").get("allowed")).isEqualTo("unlimited");
        assertThat(ran.limit("memory_bytes").get("used")).isInstanceOf(Number.class);
        assertThat(ran.limit("processes").get("allowed")).isEqualTo("unlimited");
    }

    @Test
    default void aCallMovesLimitsUpToTheCeiling() {
        RunResult ran = runs().run("pass", Map.of("timeout", 100_000, "max_tool_calls", 5000));

        assertThat(ran.limit("timeout_seconds").get("allowed")).isEqualTo(3600L);
        assertThat(ran.limit("tool_calls").get("allowed")).isEqualTo(1000);
        assertThat(runs().run("pass", Map.of("timeout", 7))
                        .limit("timeout_seconds")
                        .get("allowed"))
                .isEqualTo(7L);
    }

    @Test
    default void theOperatorsCeilingCounts() {
        Limit<Duration> second = new Limit<>(Duration.ofSeconds(1), Duration.ofSeconds(1));
        try (Engine engine =
                runs().another(settings -> settings.withScript(settings.script().withTimeout(second)))) {
            new Terminal(engine, Caller.java()).output("true"); // opens the sandbox, which may take longer
            RunResult ran = Runs.run(engine, "import time; time.sleep(600)", Map.of("timeout", 500));

            assertThat(ran.timedOut().error()).contains("1s");
        }
        try (Engine engine =
                runs().another(settings -> settings.withScript(settings.script().withToolCalls(new Limit<>(1, 3))))) {
            RunResult calls = Runs.run(engine, """
                    from hermes_tools import echo
                    print([sorted(echo(i)) for i in range(5)])
                    """, Map.of("max_tool_calls", 4));
            assertThat(calls.succeeded()).isEqualTo("[['value'], ['value'], ['value'], ['error'], ['error']]\n");
            assertThat(calls.limit("tool_calls")).isEqualTo(Map.of("used", 3, "allowed", 3));
        }
    }

    @Test
    default void noCallsMeansNone() {
        RunResult ran = runs().run("from hermes_tools import count; print(count())", Map.of("max_tool_calls", 0));

        assertThat(ran.succeeded()).contains("Tool call limit reached (0)");
        assertThat(ran.number("tool_calls_made")).isZero();
    }

    @Test
    default void memoryIsLimitedForEachProcess() {
        try (Engine engine =
                runs().another(settings -> settings.withScript(settings.script().withMemoryBytes(400L << 20)))) {
            RunResult ran = Runs.run(engine, """
                    import subprocess, sys
                    fine = bytearray(50 << 20)
                    child = subprocess.run([sys.executable, "-c", "bytearray(1 << 30)"], stderr=subprocess.PIPE)
                    print(b"MemoryError" in child.stderr, flush=True)
                    bytearray(1 << 30)
                    """, Map.of());

            assertThat(ran.failed()).contains("MemoryError");
            assertThat(ran.output()).startsWith("True\n");
            assertThat(ran.limit("memory_bytes").get("allowed")).isEqualTo(400L << 20);
            assertThat(Runs.run(engine, "print('next')", Map.of()).succeeded()).isEqualTo("next\n");
        }
        assertThat(runs().run("print(len(bytearray(500 << 20)))").succeeded()).isEqualTo("524288000\n");
    }

    @Test
    default void processesAreLimited() {
        try (Engine engine =
                runs().another(settings -> settings.withScript(settings.script().withProcesses(6)))) {
            RunResult fine = Runs.run(engine, """
                    import subprocess, time
                    children = [subprocess.Popen(["sleep", "0.5"]) for _ in range(3)]
                    [c.wait() for c in children]
                    print("fine")
                    """, Map.of());
            if (!has(Behaviour.PROCESS_LIMIT)) {
                assertThat(fine.limit("processes").get("used")).isEqualTo("not counted");
                return;
            }
            assertThat(fine.succeeded()).isEqualTo("fine\n");
            assertThat(fine.limit("processes").get("used")).isIn(2, 3, 4, 5, 6);

            RunResult over = Runs.run(engine, """
                    import os, time
                    print("before", flush=True)
                    for _ in range(20):
                        if os.fork() == 0:
                            os.setsid()
                            time.sleep(600)
                            os._exit(0)
                    time.sleep(600)
                    """, Map.of("timeout", 200));

            assertThat(over.failed()).contains("processes").contains("limit");
            assertThat(over.output()).startsWith("before\n");
            assertThat(over.limit("processes").get("allowed")).isEqualTo(6);
            assertThat(Runs.run(engine, "print('next')", Map.of()).succeeded()).isEqualTo("next\n");
        }
    }
}
