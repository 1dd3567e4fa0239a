package dev.talaria.tests.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Sandbox;
import dev.talaria.engine.job.file.FileOptions;
import dev.talaria.testkit.TestSandboxes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Scripts put arbitrary files into the exchange folder. Their correct calls are still answered, and nothing else
/// happens.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileFilesTest {
    /// Helpers of the scripts. `honest` makes a call that must be answered.
    private static final String PRELUDE = """
            import json, os, socket, sys, time
            from hermes_tools import terminal
            rpc = os.environ["HERMES_RPC_DIR"]
            def put(name, text, mode="w"):
                path = os.path.join(rpc, name)
                with open(path + ".tmp", mode) as file:
                    file.write(text)
                os.rename(path + ".tmp", path)
            def request(seq, token=os.environ["HERMES_RPC_TOKEN"], **args):
                return json.dumps({"tool": "terminal", "args": args, "seq": seq, "token": token})
            def honest(n):
                print(terminal("honest %d" % n)["args"]["command"], flush=True)
            def gone(name):
                end = time.monotonic() + 30
                while os.path.lexists(os.path.join(rpc, name)):
                    if time.monotonic() > end:
                        raise SystemExit(name + " is still there")
                    time.sleep(0.01)
            def answer(name):
                path = os.path.join(rpc, name)
                end = time.monotonic() + 30
                while not os.path.exists(path):
                    if time.monotonic() > end:
                        raise SystemExit("no " + name)
                    time.sleep(0.01)
                with open(path) as file:
                    return json.load(file)
            honest(1)
            """;

    private static Sandbox local;

    @BeforeAll
    static void open() {
        local = TestSandboxes.local().open();
    }

    @AfterAll
    static void close() {
        local.close();
    }

    private static RecordedOutput run(Echo echo, String code) throws Exception {
        RecordedOutput run = FileRuns.start(local, echo, PRELUDE + code);
        assertThat(run.exit().status().code()).as(run.out() + run.err()).isEqualTo(OptionalInt.of(0));
        return run;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "not json",
                "[1, 2]",
                "\"text\"",
                "null",
                "",
                "{\"tool\": \"terminal\", \"args\": {}, \"token\": \"TOKEN\"}",
                "{\"tool\": \"terminal\", \"args\": {}, \"token\": \"TOKEN\", \"seq\": \"7\"}",
                "{\"tool\": \"terminal\", \"args\": {}, \"token\": \"TOKEN\", \"seq\": \"../../../../tmp/escaped\"}",
                "{\"tool\": \"terminal\", \"args\": {}, \"token\": \"TOKEN\", \"seq\": 7.5}",
                "{\"tool\": \"terminal\", \"args\": {}, \"token\": \"TOKEN\", \"seq\": -1}",
                "{\"tool\": \"terminal\", \"args\": {}, \"token\": \"TOKEN\", \"seq\": true}",
                "{\"tool\": \"terminal\", \"args\": {}, \"token\": \"TOKEN\", \"seq\": 99999999999999999999999999}",
                "{\"tool\": \"terminal\", \"args\": {}, \"token\": \"TOKEN\", \"seq\": 1e400}",
                "{\"tool\": \"terminal\", \"args\": {}, \"token\": \"TOKEN\", \"seq\": [8]}"
            })
    void whatCannotBeAnsweredIsRemovedAndNotCalled(String request) throws Exception {
        Echo echo = new Echo();

        RecordedOutput run = run(
                echo,
                "put('req_000777', " + python(request.replace("TOKEN", FileRuns.TOKEN))
                        + ")\ngone('req_000777')\nhonest(2)\n"
                        + "print(sorted(n for n in os.listdir(rpc) if n.startswith(('req', 'res'))))");

        assertThat(run.out()).isEqualTo("honest 1\nhonest 2\n[]\n");
        assertThat(echo.requests()).hasSize(2);
    }

    @Test
    void nestingThatIsTooDeepIsRemoved() throws Exception {
        run(new Echo(), "put('req_000777', '{\"seq\": 7, \"args\": ' + '[' * 100000)\ngone('req_000777')\nhonest(2)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"wrong\"", "\"\"", "None", "7", "[]", "\"\\ud800\"", "\"\u00fc\""})
    void aWrongTokenIsNotCalledAndGetsNoAnswer(String token) throws Exception {
        Echo echo = new Echo();

        RecordedOutput run = run(echo, """
                put("req_000777", request(777, token=%s))
                gone("req_000777")
                honest(2)
                print(os.path.exists(os.path.join(rpc, "res_000777")))
                """.formatted(token));

        assertThat(run.out()).isEqualTo("honest 1\nhonest 2\nFalse\n");
        assertThat(echo.requests()).hasSize(2);
    }

    @Test
    void halfWrittenRequestsAreLeftAlone() throws Exception {
        Echo echo = new Echo();

        run(echo, """
                with open(os.path.join(rpc, "req_000777.tmp"), "w") as file:
                    file.write('{"tool": "terminal", "args": {}, "seq": 777}')
                honest(2)
                assert os.path.exists(os.path.join(rpc, "req_000777.tmp"))
                """);

        assertThat(echo.requests()).hasSize(2);
    }

    @Test
    void linksPipesSocketsAndFoldersAreNeitherFollowedNorWaitedFor() throws Exception {
        Echo echo = new Echo();

        run(echo, """
                outside = os.path.join(os.getcwd(), "outside")
                with open(outside, "w") as file:
                    json.dump({"tool": "terminal", "args": {}, "seq": 777}, file)
                os.symlink(outside, os.path.join(rpc, "req_000001"))
                os.symlink("req_000002", os.path.join(rpc, "req_000002"))
                os.symlink("/dev/zero", os.path.join(rpc, "req_000003"))
                os.mkfifo(os.path.join(rpc, "req_000004"))
                os.mkdir(os.path.join(rpc, "req_000005"))
                os.makedirs(os.path.join(rpc, "req_000006", "full"))
                os.chdir(rpc)
                socket.socket(socket.AF_UNIX).bind("req_000007")
                honest(2)
                for n in (1, 2, 3, 4, 5, 7):
                    gone("req_00000%d" % n)
                assert os.path.exists(outside)
                honest(3)
                """);

        assertThat(echo.requests()).hasSize(3);
    }

    @Test
    void answersAreNotWrittenThroughLinksOrIntoFolders() throws Exception {
        run(new Echo(), """
                victim = os.path.join(os.getcwd(), "victim")
                with open(victim, "w") as file:
                    file.write("untouched")
                os.symlink(victim, os.path.join(rpc, "res_000777"))
                os.mkdir(os.path.join(rpc, "res_000778"))
                for n in (777, 778):
                    put("req_000%d" % n, request(n))
                    gone("req_000%d" % n)
                honest(2)
                while os.path.islink(os.path.join(rpc, "res_000777")):
                    time.sleep(0.01)
                assert open(victim).read() == "untouched"
                assert os.stat(os.path.join(rpc, "res_000777")).st_mode & 0o777 == 0o600
                """);
    }

    @Test
    void tenMegabytesPassAndMoreThanTheLimitIsAnError() throws Exception {
        Echo echo = new Echo(
                request -> Map.of("length", String.valueOf(request.get("args")).length()));

        RecordedOutput run = FileRuns.start(local, echo, """
                from hermes_tools import terminal
                print(terminal("x" * 10_000_000)["length"] > 10_000_000)
                print(terminal("x" * 17_000_000)["error"])
                print(terminal("x")["length"] < 100)
                """);

        assertThat(run.exit().status().code()).as(run.err()).isEqualTo(OptionalInt.of(0));
        assertThat(run.out())
                .isEqualTo("True\nInvalid RPC request: it is longer than 16777216 bytes."
                        + " Write large data to a file and pass its path.\nTrue\n");
    }

    @Test
    void thousandsOfFilesDoNotStopAnything() throws Exception {
        Echo echo = new Echo();

        run(echo, """
                for n in range(3000):
                    with open(os.path.join(rpc, "req_junk_%d" % n), "w") as file:
                        file.write("junk")
                    os.mkdir(os.path.join(rpc, "other_%d" % n))
                honest(2)
                for n in range(3000):
                    gone("req_junk_%d" % n)
                honest(3)
                """);

        assertThat(echo.requests()).hasSize(3);
    }

    @Test
    void aNumberInUseIsNotCalledAgain() throws Exception {
        CompletableFuture<Void> othersCame = new CompletableFuture<>();
        Echo echo = new Echo(request -> {
            if (Integer.valueOf(777).equals(request.get("id"))) {
                othersCame.join();
            } else if (String.valueOf(request.get("args")).contains("honest 2")) {
                othersCame.complete(null);
            }
            return Map.of("args", request.get("args"));
        });

        run(echo, """
                for n in range(5):
                    put("req_000777", request(777, n=n))
                    gone("req_000777")
                honest(2)
                assert answer("res_000777")["args"]["n"] == 0
                """);

        assertThat(echo.requests().stream()
                        .filter(request -> Integer.valueOf(777).equals(request.get("id"))))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "os.unlink(bell)",
                "os.unlink(bell); os.symlink('/dev/zero', bell)",
                "os.unlink(bell); open(bell, 'w').close()",
                "os.unlink(bell); os.mkdir(bell)",
                "open(turn, 'w').write('999999999')",
                "os.mkfifo(turn)",
                "os.mkdir(turn)",
                "os.symlink('/dev/zero', turn)",
                "open(turn + '-1x', 'w').close()",
                "os.rename(os.path.dirname(turn), os.path.dirname(turn) + '.old')",
                "os.rename(os.path.dirname(turn), turn[:-10] + '.old'); os.symlink('/', os.path.dirname(turn))",
                "os.mkfifo(os.path.join(rpc, 'wake_1')); os.symlink('/dev/tty', os.path.join(rpc, 'wake_2'))"
            })
    void ourOwnFilesMayBeTamperedWith(String tampering) throws Exception {
        RecordedOutput run = run(new Echo(), """
                bell, turn = os.path.join(rpc, "bell"), os.path.join(rpc, "..", "turns", "999999999")
                %s
                honest(2)
                honest(3)
                """.formatted(tampering));

        assertThat(run.out()).isEqualTo("honest 1\nhonest 2\nhonest 3\n");
    }

    @Test
    void aStubThatRingsNoBellIsHeardSoon() throws Exception {
        FileOptions patient = new FileOptions(Duration.ofMinutes(5), Duration.ofMillis(50), 1 << 20, true);

        RecordedOutput run = FileRuns.start(
                local,
                new Echo(),
                patient,
                FileRuns.script(PRELUDE + "honest(2)", FileRuns.OF_OLD, dev.talaria.engine.job.JobSpec.Bounds.none()));

        assertThat(run.exit().status().code()).as(run.err()).isEqualTo(OptionalInt.of(0));
        assertThat(run.out()).isEqualTo("honest 1\nhonest 2\n");
    }

    @Test
    void forkedAndSpawnedChildrenCallTools() throws Exception {
        RecordedOutput run = run(new Echo(), """
                import subprocess
                pid = os.fork()
                if pid == 0:
                    honest(2)
                    os._exit(0)
                os.waitpid(pid, 0)
                sys.stdout.flush()
                subprocess.run([sys.executable, "-c", "import hermes_tools; print(hermes_tools.terminal('spawned')['tool'])"])
                """);

        assertThat(run.out().lines()).containsExactlyElementsOf(List.of("honest 1", "honest 2", "terminal"));
    }

    private static String python(String text) {
        return dev.talaria.engine.json.Json.text(text);
    }
}
