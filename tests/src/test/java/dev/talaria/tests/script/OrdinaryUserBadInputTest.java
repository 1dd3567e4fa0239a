package dev.talaria.tests.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.talaria.testkit.ChildJvm;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import dev.talaria.testkit.Testbed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Hostile scripts that only the rights of an ordinary user can stop. They run in a JVM of such a user. As root they
/// would prove nothing.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OrdinaryUserBadInputTest {
    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

    private static final String ABOVE = RunawayScriptTest.ABOVE + "keeper, relay = above()[0], above()[-1]\n";

    private final Map<String, ChildJvm> jvms = new HashMap<>();
    private Path folder;

    @BeforeAll
    void start(@TempDir Path scratch) throws Exception {
        Optional<String> user = ROOT ? Testbed.value("USER") : Optional.empty();
        if (ROOT && user.isEmpty()) {
            String why = "as root these prove nothing, and " + Testbed.whyMissing("user");
            System.out.println("SKIPPED OrdinaryUserBadInputTest: " + why);
            Assumptions.abort(why);
        }
        folder = scratch;
        Files.setPosixFilePermissions(scratch, PosixFilePermissions.fromString("rwxrwxrwx"));
        for (RunTarget target : List.of(RunTargets.localUds(), RunTargets.localStream())) {
            Path own = Files.createDirectory(scratch.resolve(target.transport().name()));
            Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxrwx"));
            jvms.put(
                    target.transport().name(),
                    ChildJvm.start(target, own, own.toString(), user, Map.of(), Map.of("notDumpable", true)));
        }
    }

    @AfterAll
    void end() {
        jvms.values().forEach(ChildJvm::close);
    }

    private String run(String transport, String code) throws Exception {
        Map<String, Object> result = jvms.get(transport).run(code);
        assertThat(result).containsEntry("status", "success");
        return String.valueOf(result.get("output"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UDS", "STREAM"})
    void theRelayAndTheKeeperAreClosedToTheScript(String transport) throws Exception {
        String output = run(transport, ABOVE + """
                print(os.getuid() != 0, len(above()) >= 2)
                for pid in (keeper, relay):
                    for name in ("fd/0", "fd/1", "mem", "environ", "maps", "cwd"):
                        path = "/proc/%d/%s" % (pid, name)
                        try:
                            open(path, "rb").read(1) if name != "cwd" else os.readlink(path)
                            print("OPENED", path)
                        except (PermissionError, IsADirectoryError):
                            pass
                    try:
                        print("LISTED", os.listdir("/proc/%d/fd" % pid))
                    except PermissionError:
                        pass
                    try:
                        open("/proc/%d/mem" % pid, "r+b")
                        print("OPENED to write")
                    except PermissionError:
                        pass
                """);

        assertThat(output).isEqualTo("True True\n");
    }

    /// The script must not reach the JVM's standard input, which a person's answers come from.
    @ParameterizedTest
    @ValueSource(strings = {"UDS", "STREAM"})
    void theEngineThatIsNotDumpableIsClosedToTheScript(String transport) throws Exception {
        String output = run(transport, ABOVE + """
                import ctypes
                jvm = int(open("/proc/%d/stat" % relay).read().rpartition(")")[2].split()[1])
                print(open("/proc/%d/comm" % jvm).read().strip())
                for name in ("fd/0", "fd/1", "mem", "environ", "maps", "auxv"):
                    for mode in ("rb", "r+b"):
                        try:
                            open("/proc/%d/%s" % (jvm, name), mode).read(1)
                            print("OPENED", name, mode)
                        except OSError as e:
                            assert e.errno in (1, 13), (name, e)
                for name in ("cwd", "root", "exe"):
                    try:
                        print("READ", os.readlink("/proc/%d/%s" % (jvm, name)))
                    except PermissionError:
                        pass
                libc = ctypes.CDLL(None, use_errno=True)
                libc.ptrace.argtypes = [ctypes.c_long] * 4
                print(libc.ptrace(16, jvm, 0, 0), ctypes.get_errno())
                print(libc.syscall(438, os.pidfd_open(jvm), 0, 0), ctypes.get_errno())
                """);

        assertThat(output).isEqualTo("java\n-1 1\n-1 1\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UDS", "STREAM"})
    void theRelayAndTheKeeperCannotBeTraced(String transport) throws Exception {
        String output = run(transport, ABOVE + """
                import ctypes
                libc = ctypes.CDLL(None, use_errno=True)
                libc.ptrace.argtypes = [ctypes.c_long] * 4
                for pid in (keeper, relay):
                    print(libc.ptrace(16, pid, 0, 0), ctypes.get_errno())
                """);

        assertThat(output).isEqualTo("-1 1\n-1 1\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UDS", "STREAM"})
    void aScriptFindsNoOtherRunsTokenInItsMemoryOrEnvironment(String transport) throws Exception {
        ChildJvm jvm = jvms.get(transport);
        String hash = folder.resolve(transport) + "/hash";
        List<CompletableFuture<Map<String, Object>>> others = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            others.add(jvm.begin("""
                    import hashlib, os, time
                    with open("%s%d.new", "w") as f:
                        f.write(hashlib.sha256(os.environ["HERMES_RPC_TOKEN"].encode()).hexdigest())
                    os.rename("%s%d.new", "%s%d")
                    while not os.path.exists("%s.done"):
                        time.sleep(0.05)
                    """.formatted(hash, i, hash, i, hash, i, hash), Map.of("timeout", 60)));
        }
        String output = run(transport, """
                import hashlib, os, re, time
                while not all(os.path.exists("%s%%d" %% i) for i in range(5)):
                    time.sleep(0.05)
                token = re.compile(rb"[0-9a-f]{16}\\.[A-Za-z0-9_-]{30,60}")
                found = set(token.findall(open("/proc/self/environ", "rb").read()))
                with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
                    for line in maps:
                        span, rights = line.split()[:2]
                        if "r" not in rights or "[v" in line:
                            continue
                        start, end = (int(part, 16) for part in span.split("-"))
                        try:
                            memory.seek(start)
                            found.update(token.findall(memory.read(end - start)))
                        except (OSError, OverflowError):
                            pass
                hashes = {hashlib.sha256(t).hexdigest() for t in found}
                others = {open("%s%%d" %% i).read() for i in range(5)}
                own = hashlib.sha256(os.environ["HERMES_RPC_TOKEN"].encode()).hexdigest()
                open("%s.done", "w").close()
                print(own in hashes, len(others), len(others & hashes))
                """.formatted(hash, hash, hash));

        for (CompletableFuture<Map<String, Object>> other : others) {
            assertThat(other.get(60, TimeUnit.SECONDS)).containsEntry("status", "success");
        }
        assertThat(output).isEqualTo("True 5 0\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UDS", "STREAM"})
    void anotherUserCannotReachTheToolSocket(String transport) throws Exception {
        Optional<String> stranger = Testbed.value("SUDO_USER").filter(_ -> ROOT);
        Assumptions.assumeTrue(
                stranger.isPresent(), "becoming a third user takes root and " + Testbed.whyMissing("sudo"));
        Path work = folder.resolve(transport);
        ChildJvm jvm = jvms.get(transport);
        CompletableFuture<Map<String, Object>> running = jvm.begin("""
                import os, time
                path, folder = os.environ["HERMES_RPC_SOCKET"], os.path.dirname(os.environ["HERMES_RPC_SOCKET"])
                def say(name, text):
                    with open(name + ".new", "w") as f:
                        f.write(text)
                    os.rename(name + ".new", name)
                def wait(name):
                    while not os.path.exists(name):
                        time.sleep(0.02)
                modes = oct(os.stat(path).st_mode & 0o777), oct(os.stat(folder).st_mode & 0o777)
                say("where", path + " " + os.environ["HERMES_RPC_TOKEN"])
                wait("tried")
                # Now the owner opens the folder carelessly: the peer's user still counts.
                os.chmod(folder, 0o755)
                os.chmod(path, 0o666)
                say("open", "")
                wait("tried-again")
                os.chmod(folder, 0o700)
                print(*modes)
                """, Map.of("timeout", 60));
        String[] where = awaitFile(work.resolve("where")).split(" ", 2);

        String closed = connectAs(stranger.get(), where[0], where[1]);
        Files.createFile(work.resolve("tried"));
        awaitFile(work.resolve("open"));
        String opened = connectAs(stranger.get(), where[0], where[1]);
        Files.createFile(work.resolve("tried-again"));

        assertThat(closed).isEqualTo("PermissionError");
        assertThat(opened).isIn("b''", "ConnectionResetError", "BrokenPipeError");
        Map<String, Object> result = running.get(60, TimeUnit.SECONDS);
        assertThat(result).containsEntry("output", "0o600 0o700\n").containsEntry("tool_calls_made", 0);
    }

    private static String awaitFile(Path file) throws Exception {
        await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(file));
        return Files.readString(file);
    }

    private static String connectAs(String user, String socket, String token) throws Exception {
        Process process = new ProcessBuilder(
                        "setpriv",
                        "--reuid",
                        user,
                        "--regid",
                        user,
                        "--init-groups",
                        "--",
                        "/usr/bin/python3",
                        "-c",
                        """
                        import socket, sys
                        try:
                            s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                            s.settimeout(10)
                            s.connect(sys.argv[1])
                            s.sendall(b'{"id": 1, "tool": "terminal", "args": {"command": "id"}, "token": "%s"}\\n' % sys.argv[2].encode())
                            print(s.recv(1000))
                        except OSError as e:
                            print(type(e).__name__)
                        """,
                        socket,
                        token)
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).isZero();
        return printed;
    }

    @Test
    void theToolsFolderAndTheRunsFolderAreTheOwnersAlone() throws Exception {
        String output = run("STREAM", """
                import os
                import hermes_tools
                run, stubs = os.path.dirname(os.path.abspath(__file__)), os.path.dirname(hermes_tools.__file__)
                print({oct(os.stat(p).st_mode & 0o777) for p in (run, os.path.dirname(run), stubs)})
                print(oct(os.stat(__file__).st_mode & 0o777), os.stat(run).st_uid == os.getuid())
                """);

        assertThat(output).isEqualTo("{'0o700'}\n0o600 True\n");
    }
}
