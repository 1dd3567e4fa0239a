package dev.talaria.backends.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.talaria.api.Command;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.HostView;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.backends.bubblewrap.BubblewrapBackend.Profile;
import dev.talaria.backends.process.Client;
import dev.talaria.testkit.SleepingProcesses;
import dev.talaria.testkit.Testbed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Proves what a namespace keeps out. The escape suite does the same as an ordinary user, from inside a script.
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BubblewrapTest {
    private static final Path HOME = Path.of(System.getProperty("user.home"));

    @TempDir
    Path folder;

    private Path workspace;

    @BeforeEach
    void needsBubblewrap() throws IOException {
        Assumptions.assumeTrue(Testbed.value("BWRAP").isPresent(), Testbed.whyMissing("bwrap"));
        workspace = Files.createDirectory(folder.toRealPath().resolve("work"));
    }

    private Sandbox open(String... options) {
        return open(HostView.NONE, options);
    }

    private Sandbox open(HostView view, String... options) {
        return new BubblewrapBackend().open(spec(options).with(view));
    }

    private SandboxSpec spec(String... options) {
        Map<String, String> map = options.length == 0 ? Map.of() : Map.of(options[0], options[1]);
        return new SandboxSpec(map).in(workspace.toString());
    }

    private static String shell(Sandbox sandbox, String script) throws IOException, InterruptedException {
        return run(sandbox, "sh", "-c", "exec 2>&1; " + script);
    }

    private static String run(Sandbox sandbox, String... argv) throws IOException, InterruptedException {
        try (RunningProcess process = sandbox.start(Command.of(argv))) {
            process.stdin().close();
            String out = new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(Duration.ofSeconds(10))).isPresent();
            return out.strip();
        }
    }

    private static String python(Sandbox sandbox, String code) throws IOException, InterruptedException {
        return run(sandbox, "/usr/bin/python3", "-c", code);
    }

    private void refused(String said, String... options) {
        refused(said, spec(options));
    }

    private static void refused(String said, SandboxSpec spec) {
        assertThatThrownBy(() -> new BubblewrapBackend().open(spec).close())
                .isInstanceOfSatisfying(
                        SandboxException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION))
                .hasMessageContaining(said);
        assertThat(BubblewrapScratch.of(spec).root()).doesNotExist();
    }

    @Test
    void onlyTheWorkingFolderAndItsOwnPlacesCanBeWrittenTo(@TempDir Path outside) throws Exception {
        try (Sandbox sandbox = open()) {
            assertThat(shell(sandbox, "pwd; echo x > here && cat here")).isEqualTo(workspace + "\nx");
            shell(
                    sandbox,
                    "echo x > " + outside + "/there; echo x > /etc/talaria-test; echo x > /run/talaria-test; "
                            + "echo x > /home/talaria-test; echo x > ~/talaria-test; echo x > /var/tmp/talaria-test");
            assertThat(shell(sandbox, "cat ~/talaria-test /var/tmp/talaria-test"))
                    .as("kept for the next command")
                    .isEqualTo("x\nx");
        }

        assertThat(workspace.resolve("here")).exists();
        assertThat(outside.resolve("there")).doesNotExist();
        for (Path place : List.of(Path.of("/etc"), Path.of("/run"), Path.of("/home"), HOME, Path.of("/var/tmp"))) {
            assertThat(place.resolve("talaria-test")).doesNotExist();
        }
    }

    @Test
    void whatIsShownDeepInTheHomeLeavesTheFoldersAboveItWritableAndInPlace(@TempDir Path state) throws Exception {
        Path home = Files.createDirectories(state.toRealPath().resolve("home"));
        Path shown = Files.createDirectories(home.resolve(".local/state/talaria/spills/0123456789ab"));
        Files.writeString(shown.resolve("spill"), "long");
        Files.writeString(shown.resolveSibling("other"), "of another session");
        SandboxSpec spec = new SandboxSpec(
                SandboxSpec.newId(),
                Map.of(),
                Optional.of(workspace.toString()),
                Map.of(),
                Optional.of(Map.of("HOME", home.toString(), "PATH", "/usr/bin:/bin")),
                new HostView(List.of(shown), List.of(), List.of(home.resolve(".local/state/talaria"))));

        try (Sandbox sandbox = new BubblewrapBackend().open(spec)) {
            assertThat(shell(sandbox, "cat " + shown + "/spill; ls " + shown.getParent()))
                    .isEqualTo("long0123456789ab");
            assertThat(shell(sandbox, "mkdir -p ~/.local/lib && echo x > ~/.local/lib/y && cat ~/.local/lib/y"))
                    .isEqualTo("x");
            for (String above : List.of(".local", ".local/state", ".local/state/talaria/spills")) {
                assertThat(python(sandbox, """
                                import os
                                try: os.rename('%s', '%s')
                                except OSError as e: print(e.strerror)
                                """.formatted(home.resolve(above), home.resolve("elsewhere"))))
                        .isIn("Device or resource busy", "Invalid cross-device link");
            }
            assertThat(shell(sandbox, "echo x > " + shown + "/spill; rm -rf " + shown))
                    .contains("Read-only");
        }

        assertThat(shown.resolve("spill")).hasContent("long");
    }

    @Test
    void closedMeansThatNothingOfTheHostsCanBeWrittenTo() throws Exception {
        Files.writeString(workspace.resolve("read"), "me");
        try (Sandbox sandbox = open("profile", "closed")) {
            assertThat(shell(sandbox, "cat read; echo x > here; echo x > /tmp/x && echo x > ~/x && cat ~/x"))
                    .startsWith("me")
                    .contains("Read-only file system")
                    .endsWith("x");
        }
        assertThat(workspace.resolve("here")).doesNotExist();
    }

    @Test
    void closedMeansNoNetworkAndWorkspaceSharesIt() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Sandbox closed = open("profile", "closed");
                Sandbox shared = open()) {
            String connect =
                    "import socket; print(socket.socket().connect_ex(('127.0.0.1', " + server.getLocalPort() + ")))";

            assertThat(python(closed, connect)).isNotEqualTo("0");
            assertThat(python(shared, connect)).isEqualTo("0");
            assertThat(
                            python(
                                    closed,
                                    "import os; print(os.listdir('/sys/class/net') and open('/proc/net/dev').read().count(':'))"))
                    .isEqualTo("1");
        }
    }

    @Test
    void aProfileThatThereIsNotIsRefused() {
        refused("workspace", "profile", "open");
    }

    @Test
    void homesAreHiddenAndSoAreSocketsOfDaemons() throws Exception {
        Path key = Files.createTempFile(HOME, "talaria-key", ".pem");
        try (Sandbox sandbox = open()) {
            assertThat(shell(sandbox, "cat " + key + "; ls -A ~ /home/* | grep -c pem"))
                    .contains("No such file")
                    .endsWith("0");
            assertThat(shell(sandbox, "ls -A /run /var/run/ | grep -ciE 'docker|dbus|user|sock'"))
                    .isEqualTo("0");
        } finally {
            Files.delete(key);
        }
    }

    @Test
    void whatTheOptionHomeListsCanBeReadAndNothingElse() throws Exception {
        Path listed = Files.createTempDirectory(HOME, "talaria-listed");
        Files.writeString(listed.resolve("note"), "shown");
        try (Sandbox sandbox = open("home", "[\"" + listed.getFileName() + "\", \"~/no-such-thing-here\"]")) {
            assertThat(shell(sandbox, "cat " + listed + "/note; echo x > " + listed + "/more"))
                    .startsWith("shown")
                    .contains("Read-only");
            assertThat(sandbox.remarks()).anyMatch(remark -> remark.contains("no-such-thing-here"));
        } finally {
            Files.delete(listed.resolve("note"));
            Files.delete(listed);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {".ssh", "~/.ssh/id_rsa", ".aws/credentials", ".config/gh", "..", ".", "/etc", "~/../x"})
    void keysAndWhatIsNotInTheHomeAreNeverListed(String entry) {
        refused("Option home", "home", entry);
    }

    @Test
    void itsCommandsShareATmpThatEndsWithIt() throws Exception {
        SandboxSpec spec = spec();
        try (Sandbox sandbox = new BubblewrapBackend().open(spec)) {
            shell(sandbox, "echo kept > /tmp/note; mkdir -p /tmp/a/b; chmod 0 /tmp/a");

            assertThat(shell(sandbox, "cat /tmp/note")).isEqualTo("kept");
            assertThat(Path.of("/tmp/note")).doesNotExist();
            assertThat(BubblewrapScratch.of(spec).root()).isDirectory();
            assertThat(sandbox.usage().disk()).isPresent();
        }
        assertThat(BubblewrapScratch.of(spec).root()).doesNotExist();
    }

    @Test
    void whatAKilledTalariaLeftIsRemovedByName() throws Exception {
        SandboxSpec spec = spec();
        Sandbox left = new BubblewrapBackend().open(spec);
        shell(left, "mkdir -p /tmp/a/b; chmod 0 /tmp/a");

        new BubblewrapBackend().remove(spec);
        new BubblewrapBackend().remove(spec);

        assertThat(BubblewrapScratch.of(spec).root()).doesNotExist();
        left.close();
    }

    @Test
    void otherProcessesCannotBeSeen() throws Exception {
        try (Sandbox sandbox = open()) {
            String seen = shell(sandbox, "ls -d /proc/[0-9]* | wc -l");

            assertThat(Integer.parseInt(seen)).isLessThan(8);
        }
    }

    @Test
    void nobodyHasCapabilitiesOrDescriptorsOfOurs() throws Exception {
        try (Sandbox sandbox = open()) {
            assertThat(shell(sandbox, "sed -n 's/^CapEff:\\s*//p' /proc/self/status"))
                    .isEqualTo("0000000000000000");
            assertThat(run(sandbox, "ls", "/proc/self/fd").lines()).containsExactly("0", "1", "2", "3");
        }
    }

    /// Known attacks on kernels. Each line shows the result of an attempt: errno 1 is EPERM, 38 ENOSYS.
    @Test
    void dangerousSystemCallsAreRefused() throws Exception {
        Assumptions.assumeTrue(System.getProperty("os.arch").equals("amd64"), "numbers of x86-64");
        try (Sandbox sandbox = open()) {
            assertThat(sandbox.remarks()).noneMatch(remark -> remark.contains("filtered"));
            assertThat(python(sandbox, """
                    import ctypes, os, pty
                    libc = ctypes.CDLL(None, use_errno=True)
                    def call(*words):
                        ctypes.set_errno(0)
                        result = libc.syscall(*[ctypes.c_long(word) for word in words])
                        return ctypes.get_errno() if result < 0 else "done"
                    mine, other = pty.openpty()
                    print("TIOCSTI", call(16, other, 0x5412, 0), call(16, other, 0x5412 | 1 << 40, 0), call(16, other, 0x541c, 0))
                    print("unshare", call(272, 0x10000000), call(272, 0x10020000), "clone", call(56, 0x10000011, 0, 0, 0, 0))
                    print("clone3", call(435, 0, 0), "setns", call(308, 0, 0))
                    print("keys", call(248, 0, 0, 0, 0, 0), call(249, 0, 0, 0, 0), call(250, 0, 0))
                    print("bpf", call(321, 0, 0, 0), "io_uring", call(425, 1, 0), "mount", call(165, 0, 0, 0, 0, 0))
                    print(os.system("exit 3") >> 8, os.get_terminal_size(other).columns)
                    """)).isEqualTo("""
                    TIOCSTI 1 1 1
                    unshare 1 1 clone 1
                    clone3 38 setns 1
                    keys 1 1 1
                    bpf 1 io_uring 1 mount 1
                    3 0""");
            assertThat(python(sandbox, """
                    import ctypes, os
                    if os.fork() == 0:
                        ctypes.CDLL(None).syscall(ctypes.c_long(0x40000000 + 39))  # x32's getpid
                        os._exit(0)
                    print(os.WTERMSIG(os.wait()[1]))
                    """)).isEqualTo("31");
        }
    }

    @Test
    void theFilterIsKnownForTwoArchitectures() {
        assertThat(SeccompFilter.of("amd64", Profile.WORKSPACE)).isPresent();
        assertThat(SeccompFilter.of("aarch64", Profile.WORKSPACE)).isPresent();
        assertThat(SeccompFilter.of("riscv64", Profile.WORKSPACE)).isEmpty();
    }

    @Test
    void theProjectsFileCannotBeChangedFromInside() throws Exception {
        Path file = Files.writeString(workspace.resolve("talaria.yaml"), "tools: [terminal]");
        try (Sandbox sandbox = open(new HostView(List.of(), List.of(), List.of()))) {
            assertThat(shell(sandbox, "cat talaria.yaml")).contains("tools: [terminal]");
            shell(
                    sandbox,
                    "echo evil > talaria.yaml; rm -f talaria.yaml; mv talaria.yaml aside; echo evil > new;"
                            + " mv new talaria.yaml; ln talaria.yaml hard; echo evil > hard; chmod 777 talaria.yaml;"
                            + " ln -sf new talaria.yaml; truncate -s 0 talaria.yaml; echo fine > fine;"
                            + " unshare -Urm sh -c 'umount talaria.yaml; echo evil > talaria.yaml; rm talaria.yaml'");
        }
        assertThat(file).hasContent("tools: [terminal]");
        assertThat(Files.isSymbolicLink(file)).isFalse();
        assertThat(workspace.resolve("fine")).hasContent("fine");
    }

    @Test
    void whatIsTalariasOwnIsHiddenInsideTheWorkspaceToo() throws Exception {
        Path there = Files.createDirectories(workspace.resolve("deep/config"));
        Files.writeString(there.resolve("talaria.yaml"), "backend: local");
        Path missing = workspace.resolve("other/state/approvals");
        Path linked = Files.createSymbolicLink(folder.resolve("link.yaml"), workspace.resolve("linked.yaml"));
        Files.writeString(workspace.resolve("linked.yaml"), "secret");
        try (Sandbox sandbox = open(new HostView(List.of(), List.of(), List.of(there, missing, linked)))) {
            assertThat(shell(
                            sandbox,
                            "cat deep/config/talaria.yaml linked.yaml; ls -A deep/config other/state/approvals"))
                    .doesNotContain("backend: local")
                    .doesNotContain("secret");
            shell(
                    sandbox,
                    "mv deep aside; mkdir -p deep/config; echo evil > deep/config/talaria.yaml; rm -rf deep; "
                            + "mv other aside; mkdir -p other/state/approvals; echo evil > other/state/approvals/new; "
                            + "rm -f linked.yaml; mv linked.yaml aside; echo evil > linked.yaml; echo fine > new");
        }
        assertThat(there.resolve("talaria.yaml")).hasContent("backend: local");
        assertThat(missing).isEmptyDirectory();
        assertThat(workspace.resolve("linked.yaml")).hasContent("secret");
        assertThat(workspace.resolve("new")).hasContent("fine");
    }

    @Test
    void aFolderThatIsShownCanBeReadAloneAndItsSocketsReachedInWorkspace() throws Exception {
        Path shown = Files.createTempDirectory(Path.of("/tmp"), "talaria-shown");
        Path socket = shown.resolve("s");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            for (String profile : List.of("workspace", "closed")) {
                try (Sandbox sandbox = open(new HostView(List.of(shown), List.of(), List.of()), "profile", profile)) {
                    assertThat(python(sandbox, """
                                    import os, socket
                                    try:
                                        reached = socket.socket(socket.AF_UNIX).connect_ex('%s')
                                    except OSError as e:
                                        reached = e.errno
                                    print(reached, os.listdir('/tmp'))
                                    """.formatted(socket)))
                            .startsWith(profile.equals("workspace") ? "0 [" : "97 [")
                            .contains("'" + shown.getFileName() + "'")
                            .doesNotContain("talaria-host", "hsperfdata");
                    assertThat(shell(sandbox, "rm " + socket + "; mv " + shown + " /tmp/x"))
                            .contains("Read-only");
                }
            }
        } finally {
            Files.deleteIfExists(socket);
            Files.delete(shown);
        }
    }

    @Test
    void whatACommandPutsInItsTmpDoesNotMisleadTheNextOne() throws Exception {
        Path victim = Files.createDirectory(folder.resolve("victim"));
        try (Sandbox sandbox = open()) { // the workspace is a few folders below /tmp
            Path first = Path.of("/tmp").resolve(workspace.getName(1));
            shell(sandbox, "cd /; mv " + first + " /tmp/aside; ln -s ../../../oldroot" + victim + " " + first);

            assertThat(shell(sandbox, "pwd; echo x > still; ls " + first)).startsWith(workspace.toString());
        }
        assertThat(victim).isEmptyDirectory();
        assertThat(workspace.resolve("still")).exists();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/tmp", "/home", "/usr"})
    void aFolderOfTheSystemIsNoWorkspace(String place) {
        refused("working folder", SandboxSpec.empty().in(place));
    }

    @Test
    void theHomeIsNoWorkspaceAndNeitherAreItsKeys() throws Exception {
        refused("home", SandboxSpec.empty().in(HOME.toString()));
        Path secret = Files.createDirectories(workspace.resolve("state/sub"));
        SandboxSpec inside = SandboxSpec.empty().in(secret.toString());
        refused("no sandbox may see", inside.with(new HostView(List.of(), List.of(), List.of(secret.getParent()))));
    }

    @Test
    void whatACommandLeavesBehindDiesWithIt() throws Exception {
        SleepingProcesses sleepers = new SleepingProcesses();
        try (Sandbox sandbox = open()) {
            shell(sandbox, "(setsid " + sleepers.command() + " > /dev/null &); true");

            Awaitility.await().until(() -> sleepers.living() == 0);
        }
    }

    @Test
    void aFileGetsNoLongerThanItMay() throws Exception {
        try (Sandbox sandbox = open("file-size", "1MiB")) {
            assertThat(shell(sandbox, "head -c 3000000 /dev/zero > big; wc -c < big"))
                    .endsWith("1048576");
        }
    }

    @Test
    void memoryIsBounded() throws Exception {
        try (Sandbox sandbox = open("memory", "200MiB")) {
            assertThat(
                            run(
                                    sandbox,
                                    "/bin/sh",
                                    "-c",
                                    "/usr/bin/python3 -c 'print(len(bytearray(20 << 20)))';"
                                            + " /usr/bin/python3 -c 'print(len(bytearray(400 << 20)))' 2> /dev/null || echo refused"))
                    .isEqualTo("20971520\nrefused");
        }
    }

    @Test
    void processesAreCountedOrARemarkSaysThatTheyAreNot() throws Exception {
        try (Sandbox sandbox = open("pids", "30")) {
            String started = python(sandbox, """
                    import os, time
                    count = 0
                    try:
                        while count < 60:
                            if os.fork() == 0:
                                time.sleep(60)
                                os._exit(0)
                            count += 1
                    except OSError:
                        pass
                    print(count)
                    """);
            if (sandbox.remarks().stream().noneMatch(remark -> remark.contains("processes is not enforced"))) {
                assertThat(Integer.parseInt(started)).isLessThan(30);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lots", "-5", "12"})
    void aBoundThatIsNoneIsRefused(String value) {
        refused("memory", "memory", value);
    }

    @Test
    void theWorkspaceMayLieInTmpOrInTheHome() throws Exception {
        for (Path parent : List.of(Path.of("/tmp"), HOME)) {
            Path below = Files.createTempDirectory(parent, "talaria-test");
            Path deep = Files.createDirectories(below.resolve("a/b"));
            try (Sandbox sandbox =
                    new BubblewrapBackend().open(SandboxSpec.empty().in(deep.toString()))) {
                shell(sandbox, "echo x > file");

                assertThat(deep.resolve("file")).exists();
            } finally {
                Files.deleteIfExists(deep.resolve("file"));
                Files.delete(deep);
                Files.delete(deep.getParent());
                Files.delete(below);
            }
        }
    }

    @Test
    void aLinkToTheWorkspaceWorks() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), workspace);
        try (Sandbox sandbox = new BubblewrapBackend().open(SandboxSpec.empty().in(link.toString()))) {
            shell(sandbox, "cd " + link + " && echo x > file");
        }
        assertThat(workspace.resolve("file")).exists();
    }

    @Test
    void anInterpreterInTheHomeWorksWithAllItLoads() throws Exception {
        Path home = Files.createTempDirectory(HOME, "talaria-python");
        try {
            // A virtual environment in the home folder, and a link to its interpreter. pyenv, conda and uv work in
            // the same way.
            assertThat(Client.attempt(List.of("/usr/bin/python3", "-m", "venv", "--without-pip", home + "/venv"))
                            .status())
                    .contains(0);
            Path python = home.resolve("venv/bin/python3");
            try (Sandbox sandbox = open(new HostView(List.of(), List.of(python), List.of()))) {
                assertThat(run(sandbox, python.toString(), "-c", "import sys, json; print(sys.prefix)"))
                        .isEqualTo(home + "/venv");
                assertThat(shell(sandbox, "echo x > " + home + "/venv/x")).contains("Read-only");
            }
        } finally {
            Client.attempt(List.of("rm", "-rf", home.toString()));
        }
    }
}
