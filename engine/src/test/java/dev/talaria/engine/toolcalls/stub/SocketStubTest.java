package dev.talaria.engine.toolcalls.stub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.toolcalls.stub.RpcServer.Request;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// The module's socket transport, in a real Python against a real socket.
class SocketStubTest extends SocketPython {
    @Test
    void callIsOneLineThatStartsWithItsId() throws Exception {
        var requests = new CopyOnWriteArrayList<Request>();

        var printed = run(
                request -> {
                    requests.add(request);
                    request.answer(Map.of("output", "fine\n", "exit_code", 0));
                },
                """
                from hermes_tools import terminal
                print(terminal("echo ä \\"quoted\\"\\n")["exit_code"], terminal("b", 5, "/tmp")["output"])
                """);

        assertThat(printed).isEqualTo("0 fine");
        assertThat(requests).hasSize(2);
        var first = requests.getFirst();
        assertThat(first.line()).startsWith("{\"id\": 1, \"tool\": \"terminal\", \"args\": {");
        assertThat(RpcServer.keys(first)).containsExactly("id", "tool", "args", "token");
        assertThat(first.message()).containsEntry("token", "s3cret-Token_é");
        assertThat(first.arguments()).containsOnlyKeys("command", "timeout", "workdir");
        assertThat(first.argument("command")).isEqualTo("echo ä \"quoted\"\n");
        assertThat(first.argument("timeout")).isNull();
        assertThat(requests.getLast().arguments()).isEqualTo(Map.of("command", "b", "timeout", 5, "workdir", "/tmp"));
    }

    @Test
    void resultThatIsJsonTextIsDecodedAgain() throws Exception {
        var printed = run(request -> request.answer(request.argument("command")), """
                from hermes_tools import terminal
                print(terminal('{"a": [1, null]}'), terminal("plain text"), terminal("17"), terminal(''))
                """);

        assertThat(printed).isEqualTo("{'a': [1, None]} plain text 17");
    }

    @Test
    void hundredThreadsGetTheirOwnAnswersInAnyOrder() throws Exception {
        try (var server = RpcServer.unix(socket, RpcServer.shuffledBatches(100))) {
            var printed = python.run("""
                    import threading
                    from hermes_tools import read_file
                    wrong = []
                    def work(me):
                        for turn in range(20):
                            got = read_file("%d/%d" % (me, turn), limit=me + 1)
                            if got != {"path": "%d/%d" % (me, turn), "offset": 1, "limit": me + 1}:
                                wrong.append((me, turn, got))
                    threads = [threading.Thread(target=work, args=(me,)) for me in range(100)]
                    for t in threads: t.start()
                    for t in threads: t.join()
                    print(len(wrong), wrong[:3])
                    """);

            assertThat(printed).isEqualTo("0 []");
            assertThat(server.connections()).isOne();
        }
    }

    @Test
    void answersLargerThanAnyBufferArrive() throws Exception {
        var printed = run(RpcServer::echo, """
                import threading
                from hermes_tools import write_file
                def work(me):
                    text = chr(0x1F600 + me) * 300000 + str(me)
                    assert write_file("f", text)["content"] == text
                    done.append(me)
                done = []
                threads = [threading.Thread(target=work, args=(me,)) for me in range(8)]
                for t in threads: t.start()
                for t in threads: t.join()
                print(len(done))
                """);

        assertThat(printed).isEqualTo("8");
    }

    @Test
    void forkedChildrenHaveTheirOwnConnections() throws Exception {
        try (var server = RpcServer.unix(socket, RpcServer::echo)) {
            var printed = python.run("""
                    import multiprocessing, os, threading
                    from hermes_tools import read_file
                    def same(n):
                        return read_file(str(n))["path"] == str(n)
                    stop = threading.Event()
                    def busy():
                        while not stop.is_set(): same(-1)
                    other = threading.Thread(target=busy)
                    other.start()
                    assert same(0)
                    for n in range(20):
                        if os.fork() == 0:
                            os._exit(0 if all(same(n * 1000 + i) for i in range(20)) else 1)
                    assert all(same(i) for i in range(200))
                    print([os.waitstatus_to_exitcode(os.wait()[1]) for _ in range(20)] == [0] * 20)
                    with multiprocessing.get_context("fork").Pool(3) as pool:
                        print(all(pool.map(same, range(100))))
                    stop.set()
                    other.join()
                    """);

            assertThat(printed).isEqualTo("True\nTrue");
            assertThat(server.connections()).isBetween(22, 24);
        }
    }

    @Test
    void spawnedProgramsFindTheModuleAndTheSocket() throws Exception {
        var printed = run(RpcServer::echo, """
                import subprocess, sys
                from hermes_tools import read_file
                child = "from hermes_tools import read_file; print(read_file('child')['path'])"
                print(read_file("parent")["path"], subprocess.check_output([sys.executable, "-c", child], text=True))
                """);

        assertThat(printed).isEqualTo("parent child");
    }

    @Test
    void everyWaiterLearnsThatTheAgentIsGone() throws Exception {
        var waiting = new ArrayList<Request>();
        Consumer<Request> handler = request -> {
            synchronized (waiting) {
                waiting.add(request);
                if (waiting.size() == 20) {
                    request.disconnect();
                }
            }
        };

        var printed = run(handler, """
                import threading
                from hermes_tools import read_file
                said = []
                def work():
                    try:
                        read_file("x")
                    except RuntimeError as e:
                        said.append(str(e))
                threads = [threading.Thread(target=work) for _ in range(20)]
                for t in threads: t.start()
                for t in threads: t.join()
                print(len(said), set(said))
                """);

        assertThat(printed).isEqualTo("20 {'Agent process disconnected'}");
    }

    @Test
    void newConnectionIsMadeAfterTheOldOneEnded() throws Exception {
        var printed = run(
                request -> {
                    if ("cut".equals(request.argument("path"))) {
                        request.disconnect();
                    } else {
                        RpcServer.echo(request);
                    }
                },
                """
                from hermes_tools import read_file
                print(read_file("a")["path"])
                try:
                    read_file("cut")
                except RuntimeError as e:
                    print(e)
                print(read_file("b")["path"])
                """);

        assertThat(printed).isEqualTo("a\nAgent process disconnected\nb");
    }

    @Test
    void withoutAnAgentTheCallFails() throws Exception {
        var printed = python.run("""
                from hermes_tools import read_file
                try:
                    read_file("x")
                except RuntimeError as e:
                    print(e)
                """);

        assertThat(printed).isEqualTo("Agent process disconnected");
    }

    @Test
    void serverWithoutIdsAnswersInOrder() throws Exception {
        // The seeds' server: one raw result per line.
        var printed = run(request -> request.send("{\"path\": \"" + request.argument("path") + "\"}"), """
                import threading
                from hermes_tools import read_file
                wrong = []
                def work(me):
                    for turn in range(50):
                        got = read_file("%d-%d" % (me, turn))
                        if got["path"] != "%d-%d" % (me, turn): wrong.append(got)
                threads = [threading.Thread(target=work, args=(me,)) for me in range(10)]
                for t in threads: t.start()
                for t in threads: t.join()
                print(len(wrong))
                """);

        assertThat(printed).isEqualTo("0");
    }

    @Test
    void unreadableLineFailsTheOldestCallOnly() throws Exception {
        var printed = run(
                request -> {
                    if ("bad".equals(request.argument("path"))) {
                        request.send("{\"id\": oops");
                    } else {
                        request.send("{\"id\": 4711, \"result\": \"nobody asked\"}");
                        RpcServer.echo(request);
                    }
                },
                """
                from hermes_tools import read_file
                try:
                    read_file("bad")
                except RuntimeError as e:
                    print(str(e).split(":")[0])
                print(read_file("good")["path"])
                """);

        assertThat(printed).isEqualTo("Unreadable answer from the agent\ngood");
    }

    @Test
    void argumentsThatAreNotJsonFailBeforeAnythingIsSent() throws Exception {
        var requests = new CopyOnWriteArrayList<Request>();

        var printed = run(
                request -> {
                    requests.add(request);
                    RpcServer.echo(request);
                },
                """
                import pathlib
                from hermes_tools import read_file
                for bad in (object(), {1, 2}, b"x", float("nan")):
                    try:
                        read_file(bad)
                    except (TypeError, ValueError) as e:
                        print(type(e).__name__)
                endless = []
                endless.append(endless)
                try:
                    read_file(endless)
                except RecursionError as e:
                    print(type(e).__name__)
                print(read_file(pathlib.Path("/a") / "b")["path"])
                read_file("\\ud800")
                """);

        assertThat(printed.lines())
                .containsExactly("TypeError", "TypeError", "TypeError", "ValueError", "RecursionError", "/a/b");
        assertThat(requests).extracting(request -> request.argument("path")).containsExactly("/a/b", "\ud800");
    }

    @Test
    void loopbackAddressWorksToo() throws Exception {
        try (var server = RpcServer.loopback(RpcServer::echo)) {
            python.with("HERMES_RPC_SOCKET", "tcp://127.0.0.1:" + server.port());

            var printed = python.run("""
                    import asyncio
                    from hermes_tools import aio, read_file
                    async def main():
                        return (await aio.read_file("y"))["path"]
                    print(read_file("x")["path"], asyncio.run(main()))
                    """);

            assertThat(printed).isEqualTo("x y");
        }
    }

    @Test
    void helpersSpareScriptsTheUsualTraps() throws Exception {
        var printed = python.run("""
                from hermes_tools import json_parse, retry, shell_quote
                print(json_parse('\\ufeff{"a": "tab\\there\\nline"}'), json_parse(b'\\xef\\xbb\\xbf[1]'), json_parse({"b": 2}))
                print(shell_quote("it's; rm -rf /"))
                tries = []
                def flaky():
                    tries.append(1)
                    if len(tries) < 3: raise OSError("busy")
                    return "done"
                print(retry(flaky, delay=0), len(tries))
                try:
                    retry(lambda: 1 / 0, max_attempts=2, delay=0)
                except ZeroDivisionError as e:
                    print(e)
                """);

        assertThat(printed.lines())
                .containsExactly(
                        "{'a': 'tab\\there\\nline'} [1] {'b': 2}",
                        "'it'\"'\"'s; rm -rf /'",
                        "done 3",
                        "division by zero");
    }
}
