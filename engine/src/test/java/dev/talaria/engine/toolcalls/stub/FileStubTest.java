package dev.talaria.engine.toolcalls.stub;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The module's file transport, in a real Python with a responder on the same folder.
class FileStubTest {
    private static final String MANY_CALLERS = """
            import os, subprocess, sys, threading
            from hermes_tools import read_file
            def same(n):
                return read_file(str(n))["path"] == str(n)
            results = []
            threads = [threading.Thread(target=lambda n=n: results.append(all(same(n * 100 + i) for i in range(10))))
                       for n in range(20)]
            for t in threads: t.start()
            for n in range(5):
                if os.fork() == 0:
                    os._exit(0 if all(same(10000 + n * 100 + i) for i in range(10)) else 1)
            child = "import sys; from hermes_tools import read_file; print(read_file(sys.argv[1])['path'])"
            programs = [subprocess.Popen([sys.executable, "-c", child, str(n)], stdout=subprocess.PIPE) for n in range(3)]
            print([int(p.communicate()[0]) for p in programs])
            for t in threads: t.join()
            print(len(results), all(results))
            print([os.wait()[1] for _ in range(5)])
            """;

    @TempDir
    Path folder;

    private Path rpc;
    private PythonProgram python;

    @BeforeEach
    void generate() throws IOException {
        rpc = Files.createDirectory(folder.resolve("rpc"));
        python = new PythonProgram(
                        Files.createDirectory(folder.resolve("program")), SevenTools.ALL, StubTransport.FILE)
                .with("HERMES_RPC_DIR", rpc)
                .with("HERMES_RPC_TOKEN", "s3cret");
    }

    @Test
    void callIsAFileAndLeavesNothingBehind() throws Exception {
        try (var responder = FileResponder.ringing(rpc, request -> request.get("args"))) {
            var printed = python.run("""
                    from hermes_tools import terminal
                    print(terminal("ls ü", timeout=7), terminal("b")["command"])
                    """);

            assertThat(printed).isEqualTo("{'command': 'ls ü', 'timeout': 7, 'workdir': None} b");
            assertThat(responder.requests()).hasSize(2);
            var request = responder.requests().getFirst();
            assertThat(request.keySet()).containsExactly("tool", "args", "seq", "token");
            assertThat(request)
                    .containsEntry("tool", "terminal")
                    .containsEntry("seq", 1)
                    .containsEntry("token", "s3cret");
            assertThat(responder.requests().getLast()).containsEntry("seq", 2);
        }
        try (var left = Files.list(rpc)) {
            assertThat(left.map(file -> file.getFileName().toString())).containsExactlyInAnyOrder("bell", "claim_000");
        }
    }

    @Test
    void requestsAreReadableByTheirOwnerOnly() throws Exception {
        var printed = python.run("""
                import os, stat, threading
                from hermes_tools import terminal
                os.umask(0)
                rpc = os.environ["HERMES_RPC_DIR"]
                threading.Thread(target=lambda: terminal("x"), daemon=True).start()
                while not os.path.exists(rpc + "/req_000001"): pass
                print({name.split("_")[0]: oct(stat.S_IMODE(os.stat(rpc + "/" + name).st_mode)) for name in sorted(os.listdir(rpc))})
                """);

        assertThat(printed).isEqualTo("{'claim': '0o600', 'req': '0o600', 'wake': '0o600'}");
    }

    @Test
    void threadsForksAndProgramsNeverShareANumber() throws Exception {
        try (var responder = FileResponder.ringing(rpc, request -> request.get("args"))) {
            var printed = python.run(MANY_CALLERS);

            assertThat(printed.lines()).containsExactly("[0, 1, 2]", "20 True", "[0, 0, 0, 0, 0]");
            assertThat(responder.requests()).hasSize(253);
            assertThat(responder.requests().stream().map(request -> request.get("seq")))
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void answersAreFoundWhenNobodyRings() throws Exception {
        try (var _ = FileResponder.silent(rpc, request -> request.get("args"))) {
            var printed = python.run(MANY_CALLERS);

            assertThat(printed.lines()).containsExactly("[0, 1, 2]", "20 True", "[0, 0, 0, 0, 0]");
        }
    }

    @Test
    void blockOfNumbersIsFollowedByAnother() throws Exception {
        try (var responder = FileResponder.ringing(rpc, request -> request.get("args"))) {
            var printed = python.run("""
                    import hermes_tools
                    hermes_tools._BLOCK = 3
                    print([hermes_tools.read_file(str(i))["path"] for i in range(8)])
                    """);

            assertThat(printed).isEqualTo("['0', '1', '2', '3', '4', '5', '6', '7']");
            assertThat(responder.requests())
                    .extracting(request -> request.get("seq"))
                    .containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        }
        try (Stream<Path> claims = Files.list(rpc)) {
            assertThat(claims.filter(file -> file.getFileName().toString().startsWith("claim_")))
                    .hasSize(3);
        }
    }

    @Test
    void gatheredCallsOverlap() throws Exception {
        try (var responder = FileResponder.atLeast(100, rpc, request -> request.get("args"))) {
            var printed = python.run("""
                    import asyncio
                    from hermes_tools import aio
                    async def main():
                        got = await asyncio.gather(*(aio.read_file(str(i)) for i in range(100)))
                        print([g["path"] for g in got] == [str(i) for i in range(100)])
                    asyncio.run(main())
                    """);

            assertThat(printed).isEqualTo("True");
            assertThat(responder.requests()).hasSize(100);
        }
    }

    @Test
    void resultThatIsJsonTextIsDecodedAgain() throws Exception {
        try (var _ = FileResponder.ringing(rpc, request -> {
            var command = ((Map<?, ?>) request.get("args")).get("command");
            return String.valueOf(command);
        })) {
            var printed = python.run("""
                    from hermes_tools import terminal
                    print(terminal('{"a": 1}'), terminal("words"))
                    """);

            assertThat(printed).isEqualTo("{'a': 1} words");
        }
    }

    @Test
    void folderThatVanishesMeansTheAgentIsGone() throws Exception {
        var printed = python.run("""
                import os, shutil, threading
                from hermes_tools import terminal
                rpc = os.environ["HERMES_RPC_DIR"]
                said = []
                def work():
                    try:
                        terminal("x")
                    except RuntimeError as e:
                        said.append(str(e))
                threads = [threading.Thread(target=work) for _ in range(3)]
                for t in threads: t.start()
                while len([name for name in os.listdir(rpc) if name.startswith("req_") and name[4:].isdigit()]) < 3: pass
                shutil.rmtree(rpc)
                for t in threads: t.join()
                work()
                print(len(said), set(said))
                """);

        assertThat(printed).isEqualTo("4 {'Agent process disconnected'}");
    }
}
