package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.Engine;
import dev.talaria.engine.config.ScriptMode;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Tests that a script behaves as under `python3 script.py`, however its interpreter is kept warm.
interface PythonRuns extends RunSubject {

    @Test
    default void multiprocessingForksAndSpawns() {
        boolean sockets = !has(Behaviour.NO_UNIX_SOCKETS);
        RunResult ran = runs().run(
                        """
                import multiprocessing as mp
                def double(x):
                    return 2 * x
                if __name__ == "__main__":
                    for method in %s:
                        with mp.get_context(method).Pool(2) as pool:
                            print(method, pool.map(double, [1, 2, 3]))
                """.formatted(sockets ? "['fork', 'spawn', 'forkserver']" : "['fork', 'spawn']"),
                        Map.of("timeout", 200));

        assertThat(ran.succeeded())
                .isEqualTo("fork [2, 4, 6]\nspawn [2, 4, 6]\n" + (sockets ? "forkserver [2, 4, 6]\n" : ""));
    }

    @Test
    default void threadsAreJoinedAndExitHandlersRunInTheirOrder() {
        RunResult ran = runs().run("""
                import atexit, threading, time
                atexit.register(print, "second handler")
                atexit.register(print, "first handler")
                def work():
                    time.sleep(0.3)
                    print("thread")
                threading.Thread(target=work).start()
                threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
                print("main")
                """);

        assertThat(ran.succeeded()).isEqualTo("main\nthread\nfirst handler\nsecond handler\n");
    }

    @Test
    default void exitHandlersRunAfterAFailureToo() {
        RunResult ran = runs().run("import atexit; atexit.register(print, 'handler'); raise ValueError('bad')");

        assertThat(ran.failed()).contains("ValueError: bad");
        assertThat(ran.output()).startsWith("handler\n");
    }

    @Test
    default void aFileThatWasNotClosedIsWritten() {
        runs().run("""
                import os
                os.chdir("%s")
                open("never-closed.txt", "w").write("reached the disk")
                kept = open("kept-open.txt", "wb")
                kept.write(b"reached it, too")
                class Late:
                    def __del__(self):
                        print("collected")
                late = Late()
                """.formatted(runs().writable())).succeeded();

        assertThat(runs().run("""
                import os
                os.chdir("%s")
                print(open('never-closed.txt').read(), open('kept-open.txt').read(), sep='; ')
                """.formatted(runs().writable())).succeeded())
                .isEqualTo("reached the disk; reached it, too\n");
    }

    @Test
    default void theMainModuleIsTheScript() {
        RunResult ran = runs().run("""
                import dataclasses, inspect, os, pickle, sys, typing
                import __main__
                @dataclasses.dataclass
                class Point:
                    x: int
                print(pickle.loads(pickle.dumps(Point(3))), __main__.Point is Point, Point.__module__)
                print(typing.get_type_hints(Point), inspect.getsource(Point).splitlines()[1])
                print(__spec__, __doc__, __file__ == os.path.abspath(sys.argv[0]), sys.flags.isolated)
                print(sorted(n for n in globals() if not n.startswith("__")))
                """);

        assertThat(ran.succeeded()).isEqualTo("""
                Point(x=3) True __main__
                {'x': <class 'int'>} class Point:
                None None True 0
                ['Point', 'dataclasses', 'inspect', 'os', 'pickle', 'sys', 'typing']
                """);
    }

    @Test
    default void modulesNamedLikeOursInTheWorkingFolderDoNoHarm() {
        if (!writes()) {
            return;
        }
        String poison = "raise RuntimeError('poisoned')";
        runs().run("""
                for name in ["json", "select", "socket", "threading", "os", "signal", "site", "sitecustomize", "usercustomize",
                             "hermes_tools", "struct"]:
                    open(name + ".py", "w").write(%s)
                """.formatted(Python.text(poison))).succeeded();
        try {
            assertThat(runs().run("""
                    import json, select, socket
                    from hermes_tools import echo, terminal
                    print(echo(json.loads("[1]"))["value"], terminal("echo 2")["output"].strip())
                    """).succeeded()).isEqualTo("[1] 2\n");
            try (Engine fresh = runs().another(settings -> settings)) {
                assertThat(Runs.run(fresh, "import json; print(json.dumps(1))", Map.of())
                                .succeeded())
                        .isEqualTo("1\n");
            }
        } finally {
            runs().run("""
                    import glob, os
                    [os.unlink(f) for f in glob.glob("*.py")]
                    """);
        }
    }

    @Test
    default void projectModeRunsInTheWorkingFolder() {
        assertThat(runs().run("import os; print(os.getcwd())").succeeded()).isEqualTo(runs().folder() + "\n");
    }

    @Test
    default void strictModeRunsInAFolderOfItsOwn() {
        try (Engine strict =
                runs().another(settings -> settings.withScript(settings.script().withMode(ScriptMode.STRICT)))) {
            RunResult ran = Runs.run(strict, """
                    import os
                    open("scratch.txt", "w").write("x")
                    print(os.getcwd())
                    print(sorted(os.listdir(".")), oct(os.stat(".").st_mode & 0o777))
                    """, Map.of());

            String folder = ran.succeeded().lines().findFirst().orElse("");
            assertThat(folder).isNotEqualTo(runs().folder()).startsWith("/");
            assertThat(ran.output()).contains("scratch.txt").contains("0o700");
            assertThat(Runs.run(
                                    strict,
                                    "import os; print(os.path.exists(%s))"
                                            .formatted(Python.text(folder + "/scratch.txt")),
                                    Map.of())
                            .succeeded())
                    .isEqualTo("False\n");
        }
    }

    @Test
    default void nothingOfOursIsOnThePathButTheStubFolder() {
        RunResult ran = runs().run("""
                import os, sys
                import hermes_tools
                stubs = os.path.dirname(hermes_tools.__file__)
                ours = [p for p in sys.path if p not in (stubs, os.path.dirname(__file__)) and not p.startswith(sys.base_prefix)
                        and not p.startswith((sys.prefix, "/usr", os.path.expanduser("~/.local")))]
                print(ours, "" in sys.path, os.listdir(stubs), sys.path[0] == os.path.dirname(__file__))
                print([m for m in sys.modules if "relay" in m])
                """);

        assertThat(ran.succeeded())
                .startsWith("[] False")
                .contains("hermes_tools.py")
                .endsWith("[]\n");
    }

    @Test
    default void aScriptThatWaitsForASignalIsNotWokenByOurs() {
        RunResult ran = runs().run("""
                import signal, time
                signal.signal(signal.SIGALRM, lambda *_: print("alarm"))
                began = time.monotonic()
                signal.alarm(2)
                signal.pause()
                print(time.monotonic() - began > 1.5)
                """);

        assertThat(ran.succeeded()).isEqualTo("alarm\nTrue\n");
    }

    @Test
    default void signalsAreAsPythonSetsThem() {
        RunResult ran = runs().run("""
                import signal
                odd = []
                for s in signal.valid_signals():
                    expected = {signal.SIGINT: signal.default_int_handler, signal.SIGPIPE: signal.SIG_IGN,
                                signal.SIGXFSZ: signal.SIG_IGN}.get(s, signal.SIG_DFL)
                    if signal.getsignal(s) not in (expected, None) and s != signal.SIGURG:
                        odd.append((s, signal.getsignal(s)))
                print(odd, signal.pthread_sigmask(signal.SIG_BLOCK, []))
                """);

        assertThat(ran.succeeded()).isEqualTo("[] set()\n");
    }

    @Test
    default void aChildCommandFindsDefaultSignals() {
        RunResult ran = runs().run("""
                import subprocess, sys
                blocked = sys.executable + " -c 'import signal; print(signal.pthread_sigmask(signal.SIG_BLOCK, []))'"
                print(subprocess.run("yes | head -n 1; " + blocked, shell=True, stdout=subprocess.PIPE, text=True).stdout)
                """);

        assertThat(ran.succeeded()).startsWith("y\n").contains("set()");
    }

    @Test
    default void theRecursionLimitAndTheStackAreThePlainOnes() {
        RunResult ran = runs().run("""
                import sys
                def deep(n):
                    return n if n == 0 else deep(n - 1)
                print(deep(900), sys.getrecursionlimit())
                deep(100_000)
                """);

        assertThat(ran.failed()).contains("RecursionError");
        assertThat(ran.output()).startsWith("0 1000\n");
    }

    @Test
    default void aTerminatedForkDiesAtOnce() {
        // A TERM right after the fork must not be lost in a handler of ours: pools would hang in
        // terminate().
        RunResult ran = runs().run("""
                import os, signal, time
                for _ in range(300):
                    pid = os.fork()
                    if pid == 0:
                        time.sleep(600)
                        os._exit(0)
                    os.kill(pid, signal.SIGTERM)
                    assert os.waitpid(pid, 0)[1] == signal.SIGTERM
                print("all ended")
                """, Map.of("timeout", 200));

        assertThat(ran.succeeded()).isEqualTo("all ended\n");
    }

    @Test
    default void aForkedChildThatIsTerminatedPrintsNothingTwice() {
        RunResult ran = runs().run("""
                import os, signal, time
                print("once")
                ready, begun = os.pipe()
                pid = os.fork()
                if pid == 0:
                    os.write(begun, b"!")
                    time.sleep(600)
                os.read(ready, 1)
                os.kill(pid, signal.SIGTERM)
                os.waitpid(pid, 0)
                """);

        assertThat(ran.succeeded()).isEqualTo("once\n");
    }

    @Test
    default void forkedChildrenPrintNothingTwiceAtATimeout() {
        RunResult ran = untilTimeout("""
                import os, time
                print("once")
                for _ in range(5):
                    if os.fork() == 0:
                        break
                time.sleep(600)
                """, output -> output.contains("once"));

        assertThat(ran.output().lines().filter("once"::equals)).hasSize(1);
    }
}
