package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Cancellation;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Tests timeouts, cancellation and leftovers of a script: no process outlives the result of its run.
interface TreeRuns extends RunSubject {
    /// Starts a child that has left the script's session and forked twice, and prints its number.
    String STRAY = """
            import os, sys, time
            out, into = os.pipe()
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    os.close(out)
                    os.write(into, b"%d\\n" % os.getpid())
                    os.close(into)
                    time.sleep(600)
                os._exit(0)
            os.close(into)
            os.wait()
            stray = int(os.read(out, 100))
            print(stray, flush=True)
            """;

    @Test
    default void timeoutKeepsWhatWasPrintedEvenUnflushed() {
        RunResult ran = untilTimeout("""
                import sys, time
                print("flushed", flush=True)
                print("not flushed")
                sys.stderr.write("complaint\\n")
                time.sleep(600)
                """, output -> output.contains("complaint"));

        assertThat(ran.output())
                .contains("flushed\nnot flushed\n")
                .contains("complaint")
                .contains("⏰");
        assertThat(ran.error()).contains("timed out after");
    }

    @Test
    default void timeoutEndsTheWholeTree() {
        RunResult ran = untilTimeout("""
                import os, subprocess, sys, time
                child = subprocess.Popen([sys.executable, "-c", "import os, subprocess; "
                    "p = subprocess.Popen(['sleep', '600']); print(p.pid, flush=True); p.wait()"])
                print(os.getpid(), child.pid, flush=True)
                time.sleep(600)
                """, output -> numbersIn(output).size() == 3);

        List<Long> pids = numbersIn(ran.output());
        assertThat(pids).as(ran.output()).hasSize(3);
        assertThat(runs().living(pids)).isEmpty();
    }

    @Test
    default void aScriptThatIgnoresTermIsKilledWithItsOutputKept() {
        RunResult ran = untilTimeout("""
                import os, signal, time
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                print("stubborn", os.getpid(), flush=True)
                while True:
                    time.sleep(1)
                """, output -> output.contains("stubborn"));

        assertThat(ran.output()).contains("stubborn");
        assertThat(runs().living(numbersIn(ran.output()))).isEmpty();
    }

    @Test
    default void aBusyLoopIsTimedOut() {
        RunResult ran = untilTimeout("print('spinning')\nwhile True: pass", output -> output.contains("spinning"));

        assertThat(ran.output()).contains("spinning");
    }

    @Test
    default void cancellationKeepsTheOutputAndEndsTheTree() throws Exception {
        Cancellation cancellation = new Cancellation();
        CountDownLatch begun = runs().tools().hangs("cancel-me");
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<RunResult> running = executor.submit(() -> runs().run("""
                    import os, subprocess
                    from hermes_tools import hang
                    child = subprocess.Popen(["sleep", "600"])
                    print(os.getpid(), child.pid)
                    hang("cancel-me")
                    """, Map.of(), cancellation));
            assertThat(begun.await(100, TimeUnit.SECONDS)).isTrue();
            cancellation.cancel("the user pressed stop");
            RunResult ran = running.get(100, TimeUnit.SECONDS);

            assertThat(ran.result()).isInstanceOf(ToolResult.Cancelled.class);
            assertThat(ran.value()).containsEntry("status", "interrupted").containsEntry("exit_code", -1);
            assertThat(ran.output()).contains("[execution interrupted — the user pressed stop]");
            List<Long> pids = numbersIn(ran.output());
            assertThat(pids).as(ran.output()).hasSize(2);
            assertThat(runs().living(pids)).isEmpty();
            assertThat(runs().tools().cancelled()).contains("cancel-me");
        }
    }

    @Test
    default void aCallThatWasCancelledBeforeItBeganRunsNothing() {
        Cancellation cancellation = new Cancellation();
        cancellation.cancel("too late");
        String marker = runs().folder() + "/never";

        RunResult ran = runs().run("open(%s, 'w').close()".formatted(Python.text(marker)), Map.of(), cancellation);

        assertThat(ran.result()).isInstanceOf(ToolResult.Cancelled.class);
        assertThat(runs().run("import os; print(os.path.exists(%s))".formatted(Python.text(marker)))
                        .succeeded())
                .isEqualTo("False\n");
    }

    @Test
    default void aBackgroundSleepNeitherHangsNorSurvives() {
        RunResult ran = runs().run("""
                import subprocess
                p = subprocess.Popen("sleep 600 & echo $!", shell=True)
                p.wait()
                """);

        assertThat(ran.numbers()).hasSize(1);
        assertThat(runs().living(ran.numbers())).isEmpty();
        assertThat(ran.note()).contains("left");
        assertThat(ran.find("drain_incomplete")).isEmpty();
    }

    @Test
    default void aDaemonisedChildIsDeadWhenTheResultArrives() {
        RunResult ran = runs().run(STRAY);

        assertThat(ran.numbers()).hasSize(1);
        assertThat(runs().living(ran.numbers())).isEmpty();
        assertThat(ran.number("processes_ended")).isPositive();
    }

    @Test
    default void aDaemonisedChildThatDropsItsEnvironmentIsDeadOrSaidToBeOutOfReach() {
        RunResult ran = runs().run(STRAY.replace("time.sleep(600)", "os.execve('/bin/sleep', ['sleep', '600'], {})"));

        if (has(Behaviour.WHOLE_TREE)) {
            assertThat(runs().living(ran.numbers())).isEmpty();
            assertThat(ran.note()).doesNotContain("could not be tracked");
        } else {
            assertThat(ran.note()).contains("could not be tracked");
            runs().run("import os; os.kill(%s, 9)".formatted(ran.output().strip()));
        }
    }

    @Test
    default void fiftyRunsEachEndTheirOwnStrayAndNoOther() throws Exception {
        int many = has(Behaviour.SOCKET) ? 50 : 8;
        // All strays live at the same time: every run waits for all others before it ends.
        String code = STRAY + """
                from hermes_tools import meet
                assert meet("before", %1$d)["met"] == %1$d
                os.kill(stray, 0)
                assert meet("after", %1$d)["met"] == %1$d
                os.kill(stray, 0)
                """.formatted(many);
        Callable<List<Long>> call = () -> {
            RunResult ran = runs().run(code, Map.of("timeout", 200));
            assertThat(has(Behaviour.SHARES_HOST) ? runs().living(ran.numbers()) : List.of())
                    .isEmpty();
            return ran.numbers();
        };

        List<Long> strays = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<List<Long>> future : executor.invokeAll(Collections.nCopies(many, call))) {
                strays.addAll(future.get());
            }
        }

        assertThat(strays).hasSize(many).doesNotHaveDuplicates();
        assertThat(runs().living(strays)).isEmpty();
    }

    @Test
    default void aRunThatEndsTouchesNoOtherRunsChild() throws Exception {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
                Engine other = runs().another(settings -> settings)) {
            CountDownLatch begun = runs().tools().hangs("keeps-a-child");
            Cancellation cancellation = new Cancellation();
            Future<RunResult> keeper = executor.submit(() -> runs().run(STRAY + """
                    from hermes_tools import hang
                    print(os.getpid(), flush=True)
                    hang("keeps-a-child")
                    """, Map.of(), cancellation));
            assertThat(begun.await(100, TimeUnit.SECONDS)).isTrue();

            for (int i = 0; i < 3; i++) {
                runs().run(STRAY).succeeded();
                Runs.run(other, STRAY, Map.of()).succeeded();
            }
            assertThat(keeper.isDone()).isFalse();
            cancellation.cancel("enough");
            RunResult kept = keeper.get(100, TimeUnit.SECONDS);

            assertThat(kept.status()).isEqualTo("interrupted");
            assertThat(numbersIn(kept.output())).hasSize(2);
        }
    }

    @Test
    default void theResultArrivesWhenTheScriptEndsWhateverItsChildrenDo() {
        RunResult ran = runs().run("""
                import subprocess, sys
                subprocess.Popen([sys.executable, "-c", "import signal, time; "
                    "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"])
                print("done")
                """);

        assertThat(ran.succeeded()).isEqualTo("done\n");
    }

    /// Returns the words of a text that may be process numbers: numbers above 1.
    static List<Long> numbersIn(String text) {
        return text.lines()
                .takeWhile(line -> !line.contains("⏰") && !line.startsWith("[execution"))
                .flatMap(line -> List.of(line.split("\\s+")).stream())
                .filter(word -> word.matches("\\d{2,10}"))
                .map(Long::valueOf)
                .toList();
    }
}
