package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Caller;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.ScriptMode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Scripts that attack the programs that run them: they damage only themselves, and the next run
/// works as usual.
interface HostileRuns extends RunSubject {

    /// Finds the relay: the highest of the script's ancestors that is Python.
    String RELAY = """
            import os, signal
            def parent(pid):
                with open("/proc/%d/stat" % pid) as f:
                    return int(f.read().rpartition(")")[2].split()[1])
            def python(pid):
                try:
                    return pid > 1 and "python" in open("/proc/%d/comm" % pid).read()
                except OSError:
                    return False
            def relay():
                top = os.getpid()
                while python(parent(top)):
                    top = parent(top)
                return top
            """;

    private void theNextRunIsFine() {
        assertThat(runs().run("from hermes_tools import echo; print(echo('fine')['value'])")
                        .succeeded())
                .isEqualTo("fine\n");
    }

    @Test
    default void aScriptThatKillsItsParentIsEndedAndTold() {
        RunResult ran = runs().run("""
                import os, signal, time
                print(os.getpid(), flush=True)
                os.kill(os.getppid(), signal.SIGKILL)
                time.sleep(600)
                """, Map.of("timeout", 200));

        assertThat(ran.status()).as("%s", ran.value()).isEqualTo("error");
        assertThat(ran.error()).contains("killed");
        assertThat(runs().living(TreeRuns.numbersIn(ran.output()))).isEmpty();
        theNextRunIsFine();
    }

    @Test
    default void aScriptThatStopsItsParentStopsNothing() {
        RunResult ran = runs().run("""
                import os, signal, time
                os.kill(os.getppid(), signal.SIGSTOP)
                print("stopped it")
                """, Map.of("timeout", 200));

        assertThat(ran.succeeded()).isEqualTo("stopped it\n");
        theNextRunIsFine();
    }

    @Test
    default void aScriptThatStopsItsParentAndStaysIsTimedOut() {
        RunResult ran = untilTimeout("""
                import os, signal, time
                print(os.getpid(), flush=True)
                while True:
                    os.kill(os.getppid(), signal.SIGSTOP)
                    time.sleep(0.001)
                """, output -> !TreeRuns.numbersIn(output).isEmpty());

        assertThat(runs().living(TreeRuns.numbersIn(ran.output()))).isEmpty();
        theNextRunIsFine();
    }

    /// A process that kills the script's parent becomes the next parent, which the script stops, too.
    @Test
    default void aScriptThatStopsEveryParentItGetsIsTimedOut() {
        RunResult ran = untilTimeout("""
                import os, signal
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                print(os.getpid(), flush=True)
                while True:
                    os.kill(os.getppid(), signal.SIGSTOP)
                """, output -> !TreeRuns.numbersIn(output).isEmpty());

        assertThat(runs().living(TreeRuns.numbersIn(ran.output()))).isEmpty();
        theNextRunIsFine();
    }

    @Test
    default void aScriptThatStopsTheRelayIsTimedOut() {
        RunResult ran =
                untilTimeout(RELAY + """
                import time
                print(os.getpid(), flush=True)
                time.sleep(0.3)
                os.kill(relay(), signal.SIGSTOP)
                time.sleep(600)
                """, output -> !TreeRuns.numbersIn(output).isEmpty());

        assertThat(runs().living(TreeRuns.numbersIn(ran.output()))).isEmpty();
        theNextRunIsFine();
    }

    @Test
    default void aScriptThatStopsItselfIsTimedOut() {
        RunResult ran = untilTimeout("""
                import os, signal
                print("standing still", flush=True)
                os.kill(os.getpid(), signal.SIGSTOP)
                """, output -> output.contains("standing still"));

        assertThat(ran.output()).contains("standing still");
        theNextRunIsFine();
    }

    @Test
    default void aScriptThatKillsItsProcessGroupDiesAlone() {
        RunResult ran = runs().run("import os; print('bye', flush=True); os.killpg(0, 9)");

        assertThat(ran.status()).isEqualTo("error");
        assertThat(ran.output()).startsWith("bye\n");
        theNextRunIsFine();
    }

    @Test
    default void aScriptThatClosesItsDescriptorsRunsToItsEnd() {
        RunResult ran = runs().run("""
                import os, time
                print("before", flush=True)
                os.closerange(0, 4096)
                time.sleep(0.3)
                open("%s/closed-all.txt", "w").close()
                os._exit(7)
                """.formatted(runs().writable()));

        assertThat(ran.exitCode()).isEqualTo(7);
        assertThat(ran.output()).isEqualTo("before\n");
        assertThat(runs().run("import os; print(os.path.exists('%s/closed-all.txt'))".formatted(runs().writable()))
                        .succeeded())
                .isEqualTo("True\n");
        theNextRunIsFine();
    }

    @Test
    default void aScriptThatDeletesItsFolderEndsAsItLikes() {
        try (Engine strict =
                runs().another(settings -> settings.withScript(settings.script().withMode(ScriptMode.STRICT)))) {
            RunResult ran = Runs.run(strict, """
                    import os, shutil, sys
                    shutil.rmtree(os.getcwd())
                    shutil.rmtree(os.path.dirname(__file__), ignore_errors=True)
                    print("deleted", flush=True)
                    sys.exit(3)
                    """, Map.of());

            assertThat(ran.exitCode()).isEqualTo(3);
            assertThat(ran.output()).startsWith("deleted\n");
            assertThat(Runs.run(strict, "print('fine')", Map.of()).succeeded()).isEqualTo("fine\n");
        }
    }

    @Test
    default void aWorkingFolderThatWasDeletedIsNamed() {
        if (!writes()) {
            return;
        }
        String doomed = runs().folder() + "/doomed";
        runs().run("import os; os.mkdir(%s)".formatted(Python.text(doomed))).succeeded();
        try (Engine engine = runs().another(settings -> settings.withCwd(doomed))) {
            RunResult ran = Runs.run(
                    engine,
                    "import os, shutil; shutil.rmtree(os.getcwd(), ignore_errors=True); print('gone')",
                    Map.of());
            assertThat(ran.succeeded()).isEqualTo("gone\n");

            RunResult next = Runs.run(engine, "print('ran all the same')", Map.of());

            assertThat(String.valueOf(next.value())).containsAnyOf("doomed", "ran all the same");
            runs().run("import os; os.makedirs(%s, exist_ok=True)".formatted(Python.text(doomed)))
                    .succeeded();
            // That was another sandbox, which may have files of its own.
            RunResult again = new Terminal(engine, Caller.java()).run("mkdir -p " + doomed, Map.of("workdir", "/"));
            assertThat(again.exitCode()).as("%s", again.value()).isZero();
            assertThat(Runs.run(engine, "import os; print(os.getcwd())", Map.of())
                            .succeeded())
                    .isEqualTo(doomed + "\n");
        }
    }

    @Test
    default void aThousandChildrenAreEndedWithTheirParent() {
        int many = has(Behaviour.SOCKET) && !has(Behaviour.SLOW_FORKS) ? 1000 : 200;
        RunResult ran = runs().run("""
                import os, time
                children = []
                for i in range(%d):
                    pid = os.fork()
                    if pid == 0:
                        time.sleep(600)
                        os._exit(0)
                    children.append(pid)
                print(*children)
                """.formatted(many), Map.of("timeout", 200));

        List<Long> children = ran.numbers();
        assertThat(children).hasSize(many);
        assertThat(runs().living(children)).isEmpty();
        assertThat(ran.number("processes_ended")).isEqualTo(many);
        theNextRunIsFine();
    }

    /// Returns a script of comets. Each comet forks a successor and dies, so a list of processes is out
    /// of date when it is read.
    private String comets(String name, String last) {
        return """
                import os, time
                end = time.monotonic() + %d
                beats = os.open("%s", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
                for _ in range(8):
                    if os.fork() == 0:
                        os.setsid()
                        while time.monotonic() < end:
                            os.write(beats, b".")
                            if os.fork() != 0:
                                os._exit(0)
                        os._exit(0)
                while os.fstat(beats).st_size < 100:
                    time.sleep(0.01)
                print("leaving")
                %s
                """.formatted(has(Behaviour.WHOLE_TREE) ? 15 : 4, runs().writable() + "/" + name, last);
    }

    /// Returns how many comets there were in half a second.
    private String seen(String name) {
        return runs().run("""
                import os, time
                before = os.path.getsize("%1$s")
                time.sleep(0.5)
                print(os.path.getsize("%1$s") - before)
                """.formatted(runs().writable() + "/" + name)).succeeded();
    }

    @Test
    default void childrenThatForkFasterThanTheyCanBeKilledAreEnded() {
        RunResult ran = runs().run(comets("comets", ""), Map.of("timeout", 200));

        String after = seen("comets");
        assertThat(ran.succeeded()).isEqualTo("leaving\n");
        if (has(Behaviour.WHOLE_TREE)) {
            assertThat(after).isEqualTo("0\n");
            assertThat(ran.find("processes_left")).isEmpty();
        } else {
            assertThat(ran.note()).contains("could not be tracked");
        }
        theNextRunIsFine();
    }

    @Test
    default void theyAreEndedWithAScriptWhoseTimeIsOver() {
        untilTimeout(comets("late-comets", "time.sleep(600)"), output -> output.contains("leaving"));

        if (has(Behaviour.WHOLE_TREE)) {
            assertThat(seen("late-comets")).isEqualTo("0\n");
        }
    }

    @Test
    default void forgedFramesAreJustOutput() {
        RunResult ran = runs().run("""
                import json, os, struct, sys
                report = json.dumps({"code": 0, "left": 0, "survivors": []}).encode()
                for number in range(0, 3000):
                    for kind in (b"x", b"!", b"o", b"r", b"p", b"c"):
                        os.write(1, struct.pack(">IcI", len(report), kind, number) + report + b"\\n")
                os.write(2, b"\\x00\\x00\\x00\\x00x\\x00\\x00\\x00\\x01")
                sys.stdout.flush()
                print("true end")
                sys.exit(9)
                """);

        assertThat(ran.exitCode()).isEqualTo(9);
        assertThat(ran.status()).isEqualTo("error");
        assertThat(ran.output()).contains("true end\n");
        theNextRunIsFine();
    }

    @Test
    default void aScriptThatKillsTheRelayIsToldAndTheNextOneGetsANewOne() {
        RunResult ran = runs().run(RELAY + """
                import time
                os.kill(relay(), signal.SIGKILL)
                time.sleep(600)
                """, Map.of("timeout", 200));

        if (has(Behaviour.SOCKET)) {
            assertThat(ran.result()).isInstanceOf(ToolResult.Failed.class);
            assertThat(((ToolResult.Failed) ran.result()).code()).isEqualTo(ErrorCode.SANDBOX_LOST);
        } else {
            assertThat(ran.status()).isEqualTo("error");
        }
        assertThat(ran.error()).isNotBlank();
        theNextRunIsFine();
    }

    @Test
    default void aScriptThatFillsTheStagingFolderIsCleanedUp() {
        try (Engine strict =
                runs().another(settings -> settings.withScript(settings.script().withMode(ScriptMode.STRICT)))) {
            RunResult ran = Runs.run(strict, """
                    import os
                    os.makedirs("a/b/c")
                    for i in range(100):
                        open("a/b/c/%d" % i, "w").write("x" * 1000)
                    os.symlink("/etc", "link")
                    os.mkfifo("pipe")
                    os.chmod("a/b", 0)
                    os.chmod(".", 0o500)
                    print(os.getcwd())
                    """, Map.of());

            String folder = ran.succeeded().strip();
            assertThat(Runs.run(
                                    strict,
                                    "import os; print(os.path.exists(%s), os.path.exists('/etc/passwd'))"
                                            .formatted(Python.text(folder + "/a")),
                                    Map.of())
                            .succeeded())
                    .isEqualTo("False True\n");
        }
    }

    @Test
    default void aScriptThatPutsALinkInPlaceOfItsFolderMovesNoOtherRun() {
        if (!writes()) {
            return;
        }
        runs().run("open('script.py', 'w').write('mine')").succeeded();

        runs().run("""
                import os, shutil
                folder = os.path.dirname(os.path.abspath(__file__))
                shutil.rmtree(folder)
                os.symlink(os.getcwd(), folder)
                print("replaced")
                """);

        RunResult next = runs().run(
                        "import os; print(open('script.py').read(), os.path.realpath(__file__) == os.path.realpath('script.py'))");
        assertThat(next.succeeded()).isEqualTo("mine False\n");
        theNextRunIsFine();
        runs().run("import os; os.unlink('script.py')");
    }
}
