package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.Engine;
import dev.talaria.engine.config.RpcSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// Tests the socket between script and engine, with scripts that do not use our stub, or abuse it.
interface SocketRuns extends RunSubject {
    /// A client that sends given bytes.
    String WIRE = """
            import json, os, socket
            TOKEN = os.environ["HERMES_RPC_TOKEN"]
            class Wire:
                def __init__(self):
                    address = os.environ["HERMES_RPC_SOCKET"]
                    if address.startswith("tcp://"):  # a sandbox without Unix sockets
                        host, _, port = address[6:].rpartition(":")
                        self.socket = socket.create_connection((host, int(port)))
                    else:
                        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                        self.socket.connect(address)
                    self.socket.settimeout(15)
                    self.lines = self.socket.makefile("rb")
                def send(self, data):
                    self.socket.sendall(data)
                def read(self):
                    line = self.lines.readline()
                    return json.loads(line) if line else None
                def ask(self, **request):
                    self.send(json.dumps(request).encode() + b"\\n")
                    return self.read()
            wire = Wire()
            def fine(w=None):
                return (w or wire).ask(tool="echo", args={"value": "fine"}, token=TOKEN) == {"value": "fine"}
            """;

    private RunResult speak(String code) {
        return runs().run(WIRE + code);
    }

    @Test
    default void requestsWithoutAnIdAreAnsweredInOrder() {
        RunResult ran = speak("""
                requests = [{"tool": "echo", "args": {"value": i}, "token": TOKEN} for i in range(20)]
                wire.send(b"".join(json.dumps(r).encode() + b"\\n" for r in requests))
                print([wire.read() for _ in requests] == [{"value": i} for i in range(20)])
                """);

        assertThat(ran.succeeded()).isEqualTo("True\n");
    }

    @Test
    default void requestsWithAnIdAreAnsweredWithIt() {
        RunResult ran = speak("""
                print(wire.ask(id=7, tool="echo", args={"value": 1}, token=TOKEN))
                print(wire.ask(id="a", tool="echo", args={"value": 2}, token=TOKEN))
                print(wire.ask(id=8, tool="echo", args={"value": 3}, token="wrong"))
                """);

        assertThat(ran.succeeded()).isEqualTo("""
                        {'id': 7, 'result': {'value': 1}}
                        {'id': 'a', 'result': {'value': 2}}
                        {'id': 8, 'result': {'error': 'Unauthorized RPC request'}}
                        """);
    }

    @Test
    default void aMissingWrongOrEmptyTokenIsRefusedAndDoesNotCount() {
        RunResult ran = speak("""
                head = TOKEN.split(".")[0]
                wrong = [None, "", "x", TOKEN[:-1], TOKEN + "x", TOKEN.swapcase(), head, head + ".", "." + TOKEN, 7, True, [TOKEN],
                         {"token": TOKEN}, "ü" * len(TOKEN), "\\x00", TOKEN + "\\x00", "x" * 100_000]
                answers = [wire.ask(tool="count", args={}, token=token) for token in wrong]
                answers.append(wire.ask(tool="count", args={}))
                print({json.dumps(a) for a in answers}, fine())
                """);

        assertThat(ran.succeeded()).isEqualTo("{'{\"error\": \"Unauthorized RPC request\"}'} True\n");
        assertThat(ran.number("tool_calls_made")).isEqualTo(1);
    }

    @Test
    default void theTokenOfARunThatIsOverOpensNothing() {
        String token = speak("print(TOKEN.encode().hex())").succeeded().strip();

        RunResult ran = speak(
                "print(wire.ask(tool='count', args={}, token=bytes.fromhex('%s').decode()), fine())".formatted(token));

        assertThat(ran.succeeded()).isEqualTo("{'error': 'Unauthorized RPC request'} True\n");
    }

    @Test
    default void aMalformedLineGetsAnErrorAndTheConnectionStays() {
        RunResult ran = speak("""
                bad = [b"not json", b"[1, 2]", b"42", b"null", b'"text"', b"{", b'{"tool": "echo"', b"\\xff\\xfe\\x00", b"\\x00",
                       b'{"tool": "echo", "args": {"value": NaN}}', b"[" * 100_000, b'{"a":' * 100_000, b'{"a": 1} {"b": 2}',
                       b"9" * 100_000]
                for line in bad:
                    wire.send(line + b"\\n")
                    answer = wire.read()
                    assert answer["error"].startswith("Invalid RPC request"), (line[:40], answer)
                    assert fine(), line[:40]
                wire.send(b"\\n  \\n\\r\\n")
                print(fine())
                print(wire.ask(tool="echo", args=[1], token=TOKEN)["error"])
                print("not available" in wire.ask(tool=["echo"], args={}, token=TOKEN)["error"])
                print("not available" in wire.ask(args={}, token=TOKEN)["error"])
                """);

        assertThat(ran.succeeded()).startsWith("True\nInvalid RPC request").endsWith("True\nTrue\n");
        assertThat(ran.number("tool_calls_made")).isEqualTo(15);
    }

    @Test
    default void anOversizeLineGetsAnErrorAndTheRunGoesOn() {
        try (Engine engine = runs().another(settings -> settings.withRpc(new RpcSettings(1 << 16, false)))) {
            RunResult ran = Runs.run(engine, WIRE + """
                    from hermes_tools import echo
                    print("longer than 65536" in echo("x" * 70_000)["error"], len(echo("x" * 60_000)["value"]))
                    wire.send(b"x" * 3_000_000 + b"\\n")
                    print("longer" in wire.read()["error"], fine())
                    wire.send(b'{"id": 5, "tool": "echo", "args": {"value": "' + b"x" * 70_000 + b'"}}\\n')
                    answer = wire.read()
                    print(answer["id"], "longer" in answer["result"]["error"], fine())
                    """, Map.of());

            assertThat(ran.succeeded()).isEqualTo("True 60000\nTrue True\n5 True True\n");
            assertThat(ran.number("tool_calls_made")).isEqualTo(3);
        }
    }

    @Test
    default void aLineOfSixteenMegabytesIsTheMostByDefault() {
        RunResult ran = speak("""
                from hermes_tools import echo
                print("longer" in echo("x" * (17 << 20))["error"])
                print(len(echo("x" * (8 << 20))["value"]), fine())
                """);

        assertThat(ran.succeeded()).isEqualTo("True\n8388608 True\n");
    }

    @Test
    default void garbageOnTheSocketHarmsNobody() {
        RunResult ran = speak("""
                import random
                from hermes_tools import echo
                noise = random.Random(1)
                for size in [1, 1000, 1_000_000]:
                    w = Wire()
                    w.socket.settimeout(1)
                    try:
                        w.send(bytes(noise.randrange(256) for _ in range(size)))
                    except OSError:
                        pass  # we read no answers, so at some time we are not read either
                    w.socket.close()
                half = Wire()
                half.send(b'{"tool": "echo", "args": {"value"')
                reset = Wire()
                reset.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\\1\\0\\0\\0\\0\\0\\0\\0")
                reset.send(b'{"tool": "count", "args": {}, "token": "x"}\\n' * 1000)
                reset.socket.close()
                print(fine(), echo("ok")["value"])
                half.send(b': 5}, "token": "%s"}\\n' % TOKEN.encode())
                print(half.read())
                """);

        assertThat(ran.succeeded()).isEqualTo("True ok\n{'value': 5}\n");
    }

    @Test
    default void aScriptMayConnectAsOftenAsItLikes() {
        RunResult ran = speak("""
                from hermes_tools import echo
                wires = [Wire() for _ in range(40)]
                for i, w in reversed(list(enumerate(wires))):
                    w.send(json.dumps({"tool": "echo", "args": {"value": i}, "token": TOKEN}).encode() + b"\\n")
                print([w.read()["value"] for w in wires] == list(range(40)), echo("stub")["value"])
                """);

        assertThat(ran.succeeded()).isEqualTo("True stub\n");
        assertThat(ran.number("tool_calls_made")).isEqualTo(41);
    }

    @Test
    default void aScriptThatAnswersItsOwnCallsFoolsOnlyItself() {
        RunResult ran = speak("""
                import threading
                server = socket.create_server(("127.0.0.1", 0))
                path = "tcp://127.0.0.1:%d" % server.getsockname()[1]
                def serve():
                    connection, _ = server.accept()
                    for line in connection.makefile("rb"):
                        request = json.loads(line)
                        connection.sendall(json.dumps({"id": request["id"], "result": {"value": "forged"}}).encode() + b"\\n")
                threading.Thread(target=serve, daemon=True).start()
                os.environ["HERMES_RPC_SOCKET"] = path
                from hermes_tools import echo
                print(echo("real")["value"])
                """);

        assertThat(ran.succeeded()).isEqualTo("forged\n");
        assertThat(ran.number("tool_calls_made")).isZero();
        assertThat(runs().run("from hermes_tools import echo; print(echo('real')['value'])")
                        .succeeded())
                .isEqualTo("real\n");
    }

    @Test
    default void aScriptThatNeverReadsItsAnswersStallsNobodyElse() {
        RunResult ran = speak("""
                import threading
                from hermes_tools import echo
                greedy = Wire()
                line = json.dumps({"tool": "echo", "args": {"value": "x" * 500_000}, "token": TOKEN}).encode() + b"\\n"
                greedy.socket.settimeout(2)
                try:
                    for _ in range(40):
                        greedy.send(line)
                except OSError:
                    pass
                print(echo("me first")["value"], fine())
                """);

        assertThat(ran.succeeded()).isEqualTo("me first True\n");
        assertThat(runs().run("from hermes_tools import echo; print(echo('next')['value'])")
                        .succeeded())
                .isEqualTo("next\n");
    }

    @Test
    default void theSeedsOwnStubWorksInCompatibilityMode() throws IOException {
        Assumptions.assumeFalse(has(Behaviour.NO_UNIX_SOCKETS), "it knows Unix sockets only");
        try (Engine engine = runs().another(
                        settings -> settings.withRpc(RpcSettings.defaults().withCompatible(true)))) {
            RunResult ran = Runs.run(engine, seedStub() + """
                    from concurrent.futures import ThreadPoolExecutor
                    if "error" in read_file("/etc/hostname"):
                        raise SystemExit(read_file("/etc/hostname")["error"])
                    print(write_file("seed.txt", "from the seed\\n")["status"], read_file("seed.txt")["content"].strip())
                    with ThreadPoolExecutor(10) as pool:
                        print([a["output"].strip() for a in pool.map(lambda i: terminal("echo %d" % i), range(10))])
                    import hermes_tools
                    print(hermes_tools.echo("ours, too")["value"])
                    """, Map.of());

            if (has(Behaviour.OWN_SOCKET)) {
                assertThat(ran.succeeded())
                        .isEqualTo("ok from the seed\n['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']\nours, too\n");
            } else {
                assertThat(ran.failed()).contains("Unauthorized RPC request");
            }
        }
    }

    @Test
    default void theSeedsOwnStubIsRefusedOtherwise() throws IOException {
        Assumptions.assumeFalse(has(Behaviour.NO_UNIX_SOCKETS), "it knows Unix sockets only");
        RunResult ran = runs().run(seedStub() + "print(terminal('echo ran'))");

        assertThat(ran.succeeded()).isEqualTo("{'error': 'Unauthorized RPC request'}\n");
        assertThat(ran.number("tool_calls_made")).isZero();
    }

    @Test
    default void onlyTheStandardDescriptorsAreOpen() {
        RunResult ran = runs().run("""
                import os
                print(sorted(int(n) for n in os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd/" + n)))
                """);

        assertThat(ran.succeeded()).isEqualTo("[0, 1, 2]\n");
    }

    private static String seedStub() throws IOException {
        try (InputStream in = SocketRuns.class.getResourceAsStream("seed_stub.py")) {
            if (in == null) {
                throw new IllegalStateException("seed_stub.py is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
