package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Scripts that try to escape from a sandbox as an ordinary user: the corpus of escapes that worked
/// elsewhere. Each places something to win, tries, and checks the result from outside.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class EscapeContract {
    private static final String CANARY = "canary-7c1e55";
    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

    private @Nullable ChildJvm jvm;
    private @Nullable Path top;

    /// Returns the target to escape from, limited to 64 MiB per file, 80 processes and 512 MiB of
    /// memory if that is possible.
    protected abstract RunTarget target();

    /// Returns whether the target has the host's network.
    protected abstract boolean sharesNetwork();

    /// Returns whether a script is held there only by the rights of an ordinary user.
    protected boolean needsOrdinaryUser() {
        return true;
    }

    /// Returns whether a script that reaches the target's limits of memory or processes ends alone,
    /// without the target.
    protected boolean outlivesItsBounds() {
        return true;
    }

    @BeforeAll
    void start(@TempDir Path scratch) throws Exception {
        Optional<String> user = ROOT && needsOrdinaryUser() ? Testbed.value("USER") : Optional.empty();
        Optional<String> missing = target().missing()
                .or(() -> ROOT && needsOrdinaryUser() && user.isEmpty()
                        ? Optional.of("as root it proves nothing, and " + Testbed.whyMissing("user"))
                        : Optional.empty());
        missing.ifPresent(why -> {
            System.out.println("SKIPPED " + getClass().getSimpleName() + ": " + why);
            Assumptions.abort(why);
        });
        Path folder = Files.createDirectory(open(scratch.toRealPath()).resolve("user"));
        top = open(folder);
        open(Files.createDirectory(folder.resolve("project")));
        String work = target().has(Behaviour.SHARES_WORKING_FOLDER)
                ? folder.resolve("project").toString()
                : "/tmp";
        jvm = ChildJvm.start(
                target(), folder, work, user, Map.of("HOME", folder.toString(), "TALARIA_PLANTED_API_KEY", CANARY));
        run("print('up')"); // then the engine's folders exist, too
        for (String name : List.of(
                ".ssh/id_ed25519", ".aws/credentials", "home/config/talaria.yaml", "home/state/audit/planted")) {
            plant(folder.resolve(name));
        }
    }

    private static Path open(Path folder) throws IOException {
        return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    private static void plant(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "# " + CANARY);
    }

    @AfterAll
    void end() {
        if (jvm != null) {
            jvm.close();
        }
    }

    protected final Path top() {
        if (top == null) {
            throw new IllegalStateException("not started");
        }
        return top;
    }

    private Map<String, Object> result(String code) throws Exception {
        if (jvm == null) {
            throw new IllegalStateException("not started");
        }
        return jvm.run("TOP = '" + top() + "'\n" + code);
    }

    protected final String run(String code) throws Exception {
        Map<String, Object> result = result(code);
        assertThat(result).containsEntry("status", "success");
        return String.valueOf(result.get("output"));
    }

    private void theNextRunIsFine() throws Exception {
        assertThat(run("from hermes_tools import echo; print(echo('fine')['value'])"))
                .isEqualTo("fine\n");
    }

    @Test
    void stateKeysAndTheAgentsOwnCodeAreOutOfSight() throws Exception {
        assertThat(run("""
                import glob, os
                found = []
                for folder, _, names in os.walk(TOP):
                    for name in names:
                        try:
                            if b"%s" in open(os.path.join(folder, name), "rb").read(10000):
                                found.append(os.path.join(folder, name))
                        except OSError:
                            pass
                for name in (".ssh/id_ed25519", ".aws/credentials", "home/config/talaria.yaml", "home/state/audit/planted"):
                    for path in (os.path.join(TOP, name), "/proc/self/root" + os.path.join(TOP, name), "/proc/1/root" + os.path.join(TOP, name)):
                        try:
                            open(path).read()
                            found.append(path)
                        except OSError:
                            pass
                found += glob.glob(TOP + "/class-path/*") + glob.glob("/oldroot/*")
                print(found)
                """.formatted(CANARY))).isEqualTo("[]\n");
    }

    @Test
    void noEnvironmentHoldsWhatWasKeptFromScripts() throws Exception {
        long talaria = jvm == null ? 0 : jvm.pid();
        assertThat(run("""
                import glob, os
                found = []
                for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
                    try:
                        if b"%s" in open(path, "rb").read():
                            found.append(path)
                    except OSError:
                        pass
                try:
                    os.kill(%d, 0)
                    found.append(b"java" in open("/proc/%d/cmdline", "rb").read())
                except (ProcessLookupError, FileNotFoundError):
                    pass
                print([f for f in found if f])
                """.formatted(CANARY, talaria, talaria))).isEqualTo("[]\n");
    }

    @Test
    void socketsOfAgentsAndEnginesCannotBeReached() throws Exception {
        Path agent = top().resolve("agent.sock");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(agent));
            Files.setPosixFilePermissions(agent, PosixFilePermissions.fromString("rwxrwxrwx"));
            assertThat(run("""
                    import socket
                    for path in (TOP + "/agent.sock", "/run/docker.sock", "/var/run/docker.sock", "/run/containerd/containerd.sock",
                                 "/run/dbus/system_bus_socket", "/run/user/1000/bus", "/run/podman/podman.sock"):
                        try:
                            with socket.socket(socket.AF_UNIX) as s:
                                s.connect(path)
                                print(path)
                        except OSError:
                            pass
                    """)).isEmpty();
        } finally {
            Files.deleteIfExists(agent);
        }
    }

    @Test
    void theNetworkIsAsDeclared() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            assertThat(run("""
                    import socket
                    def reached(host, port):
                        with socket.socket() as s:
                            s.settimeout(2)
                            return s.connect_ex((host, port)) == 0
                    print(reached("127.0.0.1", %d), %s reached("169.254.169.254", 80))
                    """.formatted(server.getLocalPort(), sharesNetwork() ? "False and" : "")))
                    .isEqualTo(sharesNetwork() ? "True False\n" : "False False\n");
        }
    }

    /// Tries to create files that the host would read or run later.
    @Test
    void namesThatTheHostWouldObeyCannotBeMade() throws Exception {
        List<String> names = List.of(
                ".bashrc",
                ".profile",
                ".ssh/authorized_keys",
                ".config/autostart/x.desktop",
                ".pythonrc",
                ".local/bin/python3",
                "home/config/talaria.yaml.new",
                "home/config/hooks/x",
                "home/state/approvals/x",
                "home/cache/pythons.json",
                "home/cache/relay-0.bin",
                "talaria.yaml");
        String list = String.join("', '", names);
        run("""
                import os
                for path in [os.path.join(TOP, name) for name in ('%s')] + ["/etc/cron.d/talaria", "/usr/local/bin/talaria-x"]:
                    try:
                        os.makedirs(os.path.dirname(path), exist_ok=True)
                        open(path, "w").write("evil")
                    except OSError:
                        pass
                for old, new in ((TOP, TOP + ".old"), (TOP + "/home", TOP + "/aside"), (TOP + "/home/config", TOP + "/project/config")):
                    try:
                        os.rename(old, new)
                    except OSError:
                        pass
                """.formatted(list));

        for (String name : names) {
            Path file = top().resolve(name);
            assertThat(Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                            && Files.readString(file).equals("evil"))
                    .as(name)
                    .isFalse();
        }
        assertThat(Path.of("/etc/cron.d/talaria")).doesNotExist();
        assertThat(Path.of("/usr/local/bin/talaria-x")).doesNotExist();
        assertThat(top().resolve("home/config/talaria.yaml")).hasContent("# " + CANARY);
    }

    @Test
    void linksAndRenamesDoNotTakeTheFileToolsOutside() throws Exception {
        assertThat(run("""
                import json, os, tempfile, threading
                from hermes_tools import read_file, write_file
                os.chdir(tempfile.mkdtemp())
                target = TOP + "/home/config/talaria.yaml"
                open("fine", "w").write("fine")
                os.symlink(target, "link")
                os.symlink(TOP + "/home/config", "folder")
                os.symlink("fine", "swap")
                here, stop = os.getcwd(), False
                def swap():
                    while not stop:
                        for to in (target, "fine"):
                            os.symlink(to, "next")
                            os.rename("next", "swap")
                flipping = threading.Thread(target=swap)
                flipping.start()
                answers = [read_file(here + "/" + name) for name in ("link", "folder/talaria.yaml", *["swap"] * 12)]
                answers += [write_file(here + "/" + name, "evil") for name in ("link", "folder/new.yaml", *["swap"] * 8)]
                answers += [read_file(path) for path in (target, "/proc/self/root" + target, "/proc/1/cwd/../home/config/talaria.yaml")]
                stop = True
                flipping.join()
                print("%s" in json.dumps(answers))
                """.formatted(CANARY))).isEqualTo("False\n");

        assertThat(top().resolve("home/config/talaria.yaml")).hasContent("# " + CANARY);
        assertThat(top().resolve("home/config/new.yaml")).doesNotExist();
    }

    @Test
    void childrenThatDetachAndIgnoreSignalsDoNotOutliveTheRun() throws Exception {
        String mark = "9" + (System.nanoTime() & 0xffffffffL);
        run("""
                import os, signal, sys, time
                for _ in range(3):
                    if os.fork() == 0:
                        os.setsid()
                        if os.fork() == 0:
                            for number in range(1, 32):
                                try:
                                    signal.signal(number, signal.SIG_IGN)
                                except OSError:
                                    pass
                            os.closerange(0, 100)
                            os.execv("/bin/sleep", ["sleep", "%s"])
                        os._exit(0)
                    os.wait()
                time.sleep(0.3)
                """.formatted(mark));

        await().atMost(Duration.ofSeconds(60))
                .until(() -> ProcessHandle.allProcesses()
                        .noneMatch(
                                process -> Processes.commandLine(process.pid()).contains("sleep " + mark)));
    }

    @Test
    void floodsStayWithinTheirBounds() throws Exception {
        String output = String.valueOf(result("""
                import os
                for _ in range(300):
                    os.write(1, b"x" * 99999 + b"\\n")
                """).get("output"));
        assertThat(output.length()).isLessThan(200_000);
        theNextRunIsFine();

        assertThat(run("""
                import os, tempfile
                path = tempfile.mkdtemp() + "/big"
                try:
                    with open(path, "wb") as f:
                        for _ in range(100):
                            f.write(bytes(1 << 20))
                except OSError as e:
                    pass
                print(os.path.getsize(path) <= 64 << 20)
                os.remove(path)
                """)).isEqualTo("True\n");
        theNextRunIsFine();
        if (!outlivesItsBounds()) {
            return;
        }
        assertThat(result("""
                try:
                    print(len(bytearray(1500 << 20)))
                except MemoryError:
                    print("refused")
                """).get("output")).isNotEqualTo("1572864000\n");
        theNextRunIsFine();

        assertThat(run("""
                import os, time
                count = 0
                try:
                    while count < 150:
                        if os.fork() == 0:
                            time.sleep(60)
                            os._exit(0)
                        count += 1
                except OSError:
                    pass
                print(count < 90)
                """)).isEqualTo("True\n");
        theNextRunIsFine();
    }

    @Test
    void whatIsSentToOurSocketsIsTakenForWhatItIs() throws Exception {
        String old = run("import os; print(os.environ['HERMES_RPC_TOKEN'].encode().hex())")
                .strip();
        assertThat(run("""
                import glob, json, os, socket
                from hermes_tools import echo
                def send(path, data):
                    host, _, port = path[6:].rpartition(":")
                    tcp = path.startswith("tcp://")
                    with socket.socket(socket.AF_INET if tcp else socket.AF_UNIX) as s:
                        s.settimeout(5)
                        try:
                            s.connect((host, int(port)) if tcp else path)
                            s.sendall(data)
                            return s.recv(1000)
                        except OSError:
                            return b""
                path = os.environ["HERMES_RPC_SOCKET"]
                line = lambda token: json.dumps({"id": 1, "tool": "count", "args": {}, "token": token}).encode() + b"\\n"
                print(b"Unauthorized" in send(path, line(bytes.fromhex("%s").decode())), b"Unauthorized" in send(path, line("x")))
                forged = b'{"id": 1, "result": {"value": "forged"}}\\n'
                for other in glob.glob(os.path.dirname(path) + "/*"):
                    send(other, forged + b"\\xff\\xff\\xff\\xff" * 1000)
                send(path, b"x" * (20 << 20))
                for name in (path, os.path.dirname(path)):
                    try:
                        os.chmod(name, 0o777)
                        os.rename(name, name + ".old")
                        os.rename(name + ".old", name)
                    except OSError:
                        pass
                print(echo("real")["value"])
                """.formatted(old))).isEqualTo("True True\nreal\n");
        theNextRunIsFine();
    }

    /// Checks that the host runs nothing that a script can write, not even to find out what it is.
    @Test
    void nothingThatAScriptLeftIsRunOutside() throws Exception {
        Path mark = top().resolve("ran-outside");
        run("""
                import os
                for name in ("python3", "python", "bin/python3", "bin/python", "sitecustomize.py", "json.py", "bwrap", "sh"):
                    try:
                        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
                        with open(name, "w") as f:
                            f.write("#!/bin/sh\\ntouch '%s'\\n" if not name.endswith(".py") else "open('%s', 'w')")
                        os.chmod(name, 0o755)
                    except OSError:
                        pass
                """.formatted(mark, mark));
        theNextRunIsFine();
        assertThat(mark).doesNotExist();
        try (Stream<Path> left = Files.list(top().resolve("project"))) {
            left.forEach(EscapeContract::delete);
        }
    }

    private static void delete(Path path) {
        try {
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                try (Stream<Path> inside = Files.list(path)) {
                    inside.forEach(EscapeContract::delete);
                }
            }
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
