package dev.talaria.engine.toolcalls.stub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.toolcalls.stub.RpcServer.Request;
import java.util.ArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// `from hermes_tools import aio`, in a real Python against a real socket.
class AioStubTest extends SocketPython {
    @Test
    void gatheredCallsOverlapOnOneConnection() throws Exception {
        try (var server = RpcServer.unix(socket, RpcServer.shuffledBatches(100))) {
            var printed = python.run("""
                    import asyncio
                    from hermes_tools import aio
                    async def main():
                        for turn in range(10):
                            names = ["%d-%d" % (turn, i) for i in range(100)]
                            got = await asyncio.gather(*(aio.read_file(name, limit=turn) for name in names))
                            assert [g["path"] for g in got] == names
                        print(got[0])
                    asyncio.run(main())
                    """);

            assertThat(printed).isEqualTo("{'path': '9-0', 'offset': 1, 'limit': 9}");
            assertThat(server.connections()).isOne();
        }
    }

    @Test
    void largeRequestsAndAnswersPass() throws Exception {
        try (var _ = RpcServer.unix(socket, RpcServer::echo)) {
            var printed = python.run("""
                    import asyncio
                    from hermes_tools import aio
                    async def main():
                        texts = [str(i) * 2000000 for i in range(5)]
                        got = await asyncio.gather(*(aio.write_file("f", text) for text in texts))
                        print([g["content"] for g in got] == texts)
                    asyncio.run(main())
                    """);

            assertThat(printed).isEqualTo("True");
        }
    }

    @Test
    void cancelledCallLeavesTheConnectionUsable() throws Exception {
        var held = new ArrayList<Request>();
        Consumer<Request> handler = request -> {
            if ("held".equals(request.argument("command"))) {
                held.add(request);
            } else {
                if ("release".equals(request.argument("command"))) {
                    held.forEach(RpcServer::echo);
                }
                RpcServer.echo(request);
            }
        };
        try (var server = RpcServer.unix(socket, handler)) {
            var printed = python.run("""
                    import asyncio
                    from hermes_tools import aio
                    async def main():
                        held = asyncio.ensure_future(aio.terminal("held"))
                        print((await aio.terminal("other"))["command"])
                        held.cancel()
                        try:
                            await held
                        except asyncio.CancelledError:
                            print("cancelled")
                        print((await aio.terminal("release"))["command"], (await aio.terminal("after"))["command"])
                    asyncio.run(main())
                    """);

            assertThat(printed).isEqualTo("other\ncancelled\nrelease after");
            assertThat(server.connections()).isOne();
        }
    }

    @Test
    void everyAwaitLearnsThatTheAgentIsGone() throws Exception {
        var seen = new ArrayList<Request>();
        Consumer<Request> handler = request -> {
            seen.add(request);
            if (seen.size() == 10) {
                request.disconnect();
            }
        };
        try (var _ = RpcServer.unix(socket, handler)) {
            var printed = python.run("""
                    import asyncio
                    from hermes_tools import aio
                    async def main():
                        got = await asyncio.gather(*(aio.read_file("x") for _ in range(10)), return_exceptions=True)
                        print(len(got), set(map(repr, got)))
                    asyncio.run(main())
                    """);

            assertThat(printed).isEqualTo("10 {\"RuntimeError('Agent process disconnected')\"}");
        }
    }

    @Test
    void eachLoopHasItsOwnConnectionAndClosedOnesAreGivenUp() throws Exception {
        try (var server = RpcServer.unix(socket, RpcServer::echo)) {
            var printed = python.run("""
                    import asyncio, os, threading
                    from hermes_tools import aio, read_file
                    async def main(n):
                        return (await aio.read_file(str(n)))["path"]
                    print([asyncio.run(main(n)) for n in range(20)] == [str(n) for n in range(20)])
                    files = len(os.listdir("/proc/self/fd"))
                    for n in range(20): asyncio.run(main(n))
                    print(len(os.listdir("/proc/self/fd")) - files)
                    got = []
                    threads = [threading.Thread(target=lambda n=n: got.append(asyncio.run(main(n)))) for n in range(10)]
                    for t in threads: t.start()
                    for t in threads: t.join()
                    print(sorted(got), read_file("sync")["path"])
                    """);

            assertThat(printed.lines())
                    .containsExactly("True", "0", "['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] sync");
            assertThat(server.connections()).isEqualTo(51);
        }
    }

    @Test
    void signaturesAreTheSameAndAsyncioIsImportedLate() throws Exception {
        try (var _ = RpcServer.unix(socket, RpcServer::echo)) {
            var printed = python.run("""
                    import sys
                    import hermes_tools
                    from hermes_tools import aio
                    hermes_tools.read_file("x")
                    print("asyncio" in sys.modules)
                    import inspect
                    for name in dir(aio):
                        assert inspect.signature(getattr(aio, name)) == inspect.signature(getattr(hermes_tools, name))
                        assert inspect.iscoroutinefunction(getattr(aio, name))
                    print(dir(aio))
                    try:
                        aio.execute_code
                    except AttributeError as e:
                        print(e)
                    """);

            assertThat(printed.lines())
                    .containsExactly(
                            "False",
                            "['patch', 'read_file', 'search_files', 'terminal', 'web_extract', 'web_search', 'write_file']",
                            "aio has no tool 'execute_code'");
        }
    }
}
