package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/// Tests request and response files, written by scripts that do not use our stub, or abuse it.
interface FileRuns extends RunSubject {
    /// Writes given files into the folder of requests.
    String FILES = """
            import json, os, time
            from hermes_tools import echo
            FOLDER = os.environ["HERMES_RPC_DIR"]
            TOKEN = os.environ["HERMES_RPC_TOKEN"]
            def path(name):
                return os.path.join(FOLDER, name)
            def put(name, content):
                with open(path(name) + ".tmp", "wb") as f:
                    f.write(content)
                os.rename(path(name) + ".tmp", path(name))
            def request(seq, **more):
                return json.dumps(dict({"tool": "count", "args": {}, "seq": seq, "token": TOKEN}, **more)).encode()
            def wait_until_taken(name):
                end = time.monotonic() + 20
                while os.path.lexists(path(name)):
                    assert time.monotonic() < end, name + " was not taken"
                    time.sleep(0.02)
            def answer(seq):
                end = time.monotonic() + 20
                while not os.path.exists(path("res_%06d" % seq)):
                    assert time.monotonic() < end, "no answer"
                    time.sleep(0.02)
                with open(path("res_%06d" % seq)) as f:
                    return json.load(f)
            def fine():
                return echo("fine")["value"] == "fine"
            """;

    @Test
    default void aRequestFileIsAnsweredInAResponseFile() {
        RunResult ran = runs().run(FILES + """
                put("req_900001", request(900001, tool="echo", args={"value": 5}))
                print(answer(900001), oct(os.stat(path("res_900001")).st_mode & 0o777), oct(os.stat(FOLDER).st_mode & 0o777))
                print(os.path.exists(path("req_900001")))
                """);

        assertThat(ran.succeeded()).isEqualTo("{'value': 5} 0o600 0o700\nFalse\n");
        assertThat(ran.number("tool_calls_made")).isEqualTo(1);
    }

    @Test
    default void aWrongTokenIsTakenAwayAndOpensNothing() {
        RunResult ran = runs().run(FILES + """
                wrong = ["", "x", None, 7, TOKEN + "x", TOKEN[:-1], [TOKEN]]
                for i, token in enumerate(wrong):
                    put("req_%06d" % (900001 + i), request(900001 + i, token=token))
                put("req_900050", json.dumps({"tool": "count", "args": {}, "seq": 900050}).encode())
                for name in ["req_%06d" % (900001 + i) for i in range(len(wrong))] + ["req_900050"]:
                    wait_until_taken(name)
                answers = [open(path(n)).read() for n in os.listdir(FOLDER) if n.startswith("res_")]
                print(fine(), [a for a in answers if "Unauthorized" not in a])
                """);

        assertThat(ran.succeeded()).isEqualTo("True []\n");
        assertThat(ran.number("tool_calls_made")).isEqualTo(1);
    }

    @Test
    default void aNumberThatIsNoneOrLeadsElsewhereIsNotFollowed() {
        RunResult ran = runs().run(FILES + """
                odd = ["../../escaped", "1/../../escaped", None, 1.5, "7", [1], {"a": 1}, -1, True, 10 ** 30, "\\x00"]
                for i, seq in enumerate(odd):
                    put("req_%06d" % (900001 + i), request(seq))
                for i in range(len(odd)):
                    wait_until_taken("req_%06d" % (900001 + i))
                print(fine())
                around = [os.path.join(d, n) for d in (FOLDER, os.path.dirname(FOLDER), "/tmp", os.getcwd(), "/") for n in os.listdir(d)]
                print([n for n in around if "escaped" in n])
                """);

        assertThat(ran.succeeded()).isEqualTo("True\n[]\n");
    }

    @Test
    default void whatIsNoRequestIsNotRead() {
        RunResult ran = runs().run(FILES + """
                os.mkfifo(path("req_900001"))
                os.mkdir(path("req_900002"))
                open(path("req_900002") + "/inside", "w").close()
                os.symlink("/etc/passwd", path("req_900003"))
                os.symlink(path("req_900005"), path("req_900004"))
                with open(path("req_900006.tmp"), "wb") as f:
                    f.write(request(900006))
                put("req_900007", b"not json")
                put("req_900008", b'{"tool": "count", "args": {}, "seq": 900008, "tok')
                put("req_900009", b"")
                put("req_900010", b"[1]")
                put("req_900011", b"\\xff\\xfe")
                put("req_../x".replace("/", "_"), request(900012))
                for name in ["req_900007", "req_900008", "req_900009", "req_900010", "req_900011"]:
                    wait_until_taken(name)
                print(fine(), fine(), os.path.exists(path("req_900006.tmp")), os.path.exists("/etc/passwd"))
                print([n for n in os.listdir(FOLDER) if n.startswith("res_9000") and n != "res_900012"])
                """);

        assertThat(ran.succeeded()).isEqualTo("True True True True\n[]\n");
    }

    @Test
    default void aRequestOfTenMegabytesIsServedAndALongerOneIsAnError() {
        RunResult ran = runs().run(FILES + """
                put("req_900001", request(900001, tool="echo", args={"value": "x" * 10_000_000}))
                print(len(answer(900001)["value"]))
                put("req_900002", request(900002, tool="echo", args={"value": "x" * (17 << 20)}))
                print("longer" in str(answer(900002)) or "larger" in str(answer(900002)), fine())
                """, Map.of("timeout", 200));

        assertThat(ran.succeeded()).isEqualTo("10000000\nTrue True\n");
    }

    @Test
    default void aScriptThatAnswersItsOwnRequestsFoolsOnlyItself() {
        RunResult ran = runs().run(FILES + """
                with open(path("res_000002"), "w") as f:
                    f.write('{"value": "forged"}')
                print([echo(i)["value"] for i in range(3)])
                """);

        assertThat(ran.status()).isEqualTo("success");
        assertThat(runs().run("from hermes_tools import echo; print(echo('real')['value'])")
                        .succeeded())
                .isEqualTo("real\n");
    }

    @Test
    default void aScriptThatRemovesTheFolderIsToldAndTheNextRunIsFine() {
        RunResult ran = runs().run(FILES + """
                import shutil
                print(fine(), flush=True)
                shutil.rmtree(FOLDER)
                echo("lost")
                """, Map.of("timeout", 200));

        assertThat(ran.failed()).contains("disconnected");
        assertThat(ran.output()).startsWith("True\n");
        assertThat(runs().run("from hermes_tools import echo; print(echo('real')['value'])")
                        .succeeded())
                .isEqualTo("real\n");
    }

    @Test
    default void theBudgetHoldsForFilesOfOnesOwnToo() {
        RunResult ran = runs().run(FILES + """
                for i in range(5):
                    put("req_%06d" % (900001 + i), request(900001 + i))
                print(sorted("result" in answer(900001 + i) for i in range(5)))
                print(echo("one more")["error"])
                """, Map.of("max_tool_calls", 3));

        assertThat(ran.succeeded()).isEqualTo("""
                        [False, False, True, True, True]
                        Tool call limit reached (3). No more tool calls allowed in this execution.
                        """);
    }
}
