package dev.talaria.backends.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.talaria.api.Command;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.testkit.Finished;
import dev.talaria.testkit.SshServer;
import dev.talaria.testkit.Testbed;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.AbstractThrowableAssert;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the connection itself, and of the messages if there is none.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SshTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private SshServer server;

    @BeforeEach
    void start() throws IOException {
        server = SshServer.start(folder);
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static SandboxSpec spec(Map<String, String> options) {
        return new SandboxSpec(options);
    }

    private static AbstractThrowableAssert<?, ?> refusal(Map<String, String> options) {
        return assertThatThrownBy(() -> new SshBackend().open(spec(options)).close())
                .isInstanceOfSatisfying(
                        SandboxException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BACKEND_UNAVAILABLE));
    }

    private Map<String, String> with(String name, String value) {
        Map<String, String> options = new HashMap<>(server.options());
        options.put(name, value);
        return options;
    }

    /// Runs a program of this machine and returns its output.
    private static String run(Map<String, String> environment, String... argv) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(argv).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said.strip();
    }

    private static List<Path> leftovers(SandboxSpec spec) {
        return SshFolder.find(spec).map(SshFolder::path).stream().toList();
    }

    @Test
    void allCommandsShareOneConnection() {
        try (Sandbox sandbox = new SshBackend().open(spec(server.options()))) {
            String first =
                    Finished.of(sandbox, "sh", "-c", "echo $SSH_CONNECTION").out();
            String second =
                    Finished.of(sandbox, "sh", "-c", "echo $SSH_CONNECTION").out();

            assertThat(second).isEqualTo(first);
            assertThat(server.link().connections()).isOne();
        }
    }

    @Test
    void closingLeavesNothing() {
        SandboxSpec spec = spec(server.options());
        try (Sandbox sandbox = new SshBackend().open(spec)) {
            assertThat(sandbox.alive()).isTrue();
            assertThat(leftovers(spec)).hasSize(1);
        }
        assertThat(leftovers(spec)).isEmpty();
        assertThat(ProcessHandle.current()
                        .descendants()
                        .filter(child -> child.info()
                                .commandLine()
                                .filter(line -> line.contains(spec.outsideName()))
                                .isPresent()))
                .isEmpty();
    }

    @Test
    void whatAKilledTalariaLeftIsRemoved() throws Exception {
        SandboxSpec spec = spec(server.options());
        Path place = SshFolder.create(spec).socket(1);
        Process left =
                new ProcessBuilder(SshClient.of(new SshBackend(), spec).sharing(place, "exec sleep 600")).start();
        try {
            Awaitility.await().atMost(SOON).until(() -> Files.exists(place));

            new SshBackend().remove(spec);

            assertThat(left.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(leftovers(spec)).isEmpty();
            new SshBackend().remove(spec);
        } finally {
            left.destroyForcibly();
        }
    }

    @Test
    void theUsersOwnMasterIsNeitherUsedNorClosed() throws Exception {
        Path master = folder.resolve("m");
        Files.writeString(
                server.config(),
                "Host *\n    ControlMaster auto\n    ControlPersist 60\n    ControlPath " + master + "\n"
                        + Files.readString(server.config()));
        String host = server.options().get("host");
        String[] ask = {"ssh", "-F", server.config().toString(), "-O", "check", host};
        run(Map.of(), "ssh", "-F", server.config().toString(), "-f", "-N", host);
        try {
            String before = run(Map.of(), ask);
            assertThat(before).contains("Master running");

            try (Sandbox sandbox = new SshBackend().open(spec(server.options()))) {
                Finished.of(sandbox, "true");
                assertThat(server.link().connections()).isEqualTo(2);
            }

            assertThat(run(Map.of(), ask)).isEqualTo(before);
        } finally {
            run(Map.of(), "ssh", "-F", server.config().toString(), "-O", "exit", host);
        }
    }

    @Test
    void closingOneSandboxLeavesAnotherAlone() throws Exception {
        try (Sandbox other = new SshBackend().open(spec(server.options()));
                RunningProcess process = other.start(Command.of("cat"))) {
            new SshBackend().open(spec(server.options())).close();

            process.stdin().write("still here".getBytes(StandardCharsets.UTF_8));
            process.stdin().close();
            assertThat(process.stdout().readAllBytes()).asString().isEqualTo("still here");
            assertThat(process.waitFor(SOON)).contains(0);
        }
    }

    @Test
    void moreCommandsThanTheServerLetsInRunAllTheSame() throws Exception {
        server.close();
        server = SshServer.start(folder, "MaxSessions 3");
        try (Sandbox sandbox = new SshBackend().open(spec(server.options()))) {
            List<RunningProcess> running = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                running.add(sandbox.start(Command.of("cat")));
            }
            for (RunningProcess process : running) {
                process.stdin().write(65);
                process.stdin().close();
                assertThat(process.stdout().readAllBytes()).asString().isEqualTo("A");
                assertThat(process.stderr().readAllBytes()).asString().isEmpty();
                assertThat(process.waitFor(SOON)).contains(0);
                process.close();
            }
        }
    }

    @Test
    void noKeyIsOfferedButTheConfiguredOne() throws Exception {
        Path decoy = folder.resolve("decoy");
        run(Map.of(), "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", decoy.toString());
        Path right = Path.of(Testbed.value("SSH_CONFIG").orElseThrow()).resolveSibling("key");
        // If the agent's key came first, the server would refuse further keys.
        server.close();
        server = SshServer.start(folder, "MaxAuthTries 2", "LogLevel VERBOSE");
        Path agent = folder.resolve("a");
        Process agentProcess = new ProcessBuilder("ssh-agent", "-D", "-a", agent.toString()).start();
        try {
            Awaitility.await().atMost(SOON).until(() -> Files.exists(agent));
            run(Map.of("SSH_AUTH_SOCK", agent.toString()), "ssh-add", decoy.toString());
            Files.writeString(
                    server.config(),
                    "Host *\n    IdentityAgent " + agent + "\n"
                            + Files.readString(server.config())
                                    .replaceAll("(?m)^ *(IdentityFile|IdentitiesOnly) .*\n", ""));

            try (Sandbox sandbox = new SshBackend().open(spec(with("key", right.toString())))) {
                assertThat(Finished.of(sandbox, "echo", "in").out()).isEqualTo("in\n");
            }

            assertThat(server.log()).contains("Accepted publickey").doesNotContain("Failed publickey");
            refusal(server.options()).hasMessageContaining("set the options user and key");
        } finally {
            agentProcess.destroy();
            agentProcess.waitFor();
        }
    }

    @Test
    void anUnknownHostIsRememberedUnlessTheUserIsStricter() throws Exception {
        server.configure("");
        refusal(server.options()).hasMessageContaining("Connect once by hand").hasMessageContaining("check its key");
        Files.writeString(
                server.config(), Files.readString(server.config()).replaceAll("StrictHostKeyChecking .*", ""));

        new SshBackend().open(spec(server.options())).close();

        assertThat(Files.readString(folder.resolve("known_hosts"))).contains("ssh-ed25519");
    }

    @Test
    void aHostKeyThatChangedIsAnErrorThatSaysWhatToDo() throws Exception {
        run(
                Map.of(),
                "ssh-keygen",
                "-q",
                "-t",
                "ed25519",
                "-N",
                "",
                "-f",
                folder.resolve("other").toString());
        String other = Files.readString(folder.resolve("other.pub"));
        server.configure("[127.0.0.1]:1 " + other);
        Files.writeString(
                server.config(), Files.readString(server.config()).replaceAll("StrictHostKeyChecking .*", ""));

        refusal(server.options())
                .hasMessageContaining("has another key than the one known of it (line 1 of")
                .hasMessageContaining("ssh-keygen -f")
                .hasMessageContaining("-R")
                .hasMessageNotContaining("@@@");
    }

    @Test
    void aWrongKeyIsNamed() throws Exception {
        Path wrong = folder.resolve("wrong");
        run(Map.of(), "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", wrong.toString());
        Files.writeString(
                server.config(), Files.readString(server.config()).replaceAll("(?m)^ *IdentityFile .*\n", ""));

        refusal(with("key", wrong.toString()))
                .hasMessageContaining("Permission denied")
                .hasMessageContaining("set the options user and key");
    }

    @Test
    void aPortThatIsNotSshIsNamed() throws Exception {
        try (ServerSocket http = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform().daemon().start(() -> answerAsHttp(http));

            refusal(Map.of("host", "127.0.0.1", "port", String.valueOf(http.getLocalPort())))
                    .hasMessageContaining("no SSH server")
                    .hasMessageContaining("option port");
        }
    }

    private static void answerAsHttp(ServerSocket http) {
        while (!http.isClosed()) {
            try (Socket client = http.accept();
                    OutputStream out = client.getOutputStream()) {
                client.getInputStream().read();
                out.write("HTTP/1.1 400 Bad Request\r\n\r\n".repeat(3).getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                // The test has ended.
            }
        }
    }

    @Test
    void aHostThatIsNoLinuxSaysSo() throws Exception {
        Path bin = Files.createDirectory(folder.resolve("bin"));
        Path uname = Files.writeString(bin.resolve("uname"), "#!/bin/sh\necho Darwin\n");
        Files.setPosixFilePermissions(uname, PosixFilePermissions.fromString("rwxr-xr-x"));
        server.close();
        server = SshServer.start(
                folder, "ForceCommand PATH=" + bin + ":/usr/bin:/bin; export PATH; eval \"$SSH_ORIGINAL_COMMAND\"");

        refusal(server.options()).hasMessageContaining("runs Darwin").hasMessageContaining("Linux hosts only");
    }

    @Test
    void anAccountThatRunsNoCommandsIsNamed() throws Exception {
        server.close();
        server = SshServer.start(folder, "ForceCommand echo 'This account is currently not available.' >&2; exit 1");

        refusal(server.options())
                .hasMessageContaining("currently not available")
                .hasMessageContaining("login shell must run commands");
    }

    @Test
    void theLocaleStaysHere() throws Exception {
        server.close();
        server = SshServer.start(folder, "AcceptEnv *");
        Files.writeString(server.config(), "Host *\n    SendEnv *\n" + Files.readString(server.config()));

        assertThat(SshClient.withoutLocale(Map.of("LC_ALL", "C", "LANG", "C", "LANGUAGE", "C", "PATH", "/bin")))
                .containsOnlyKeys("PATH");
        try (Sandbox sandbox = new SshBackend().open(spec(server.options()))) {
            List<String> seen = Finished.of(sandbox, "env").out().lines().toList();
            assertThat(seen).anyMatch(line -> line.startsWith("JAVA_HOME="));
            assertThat(seen).noneMatch(line -> line.startsWith("LC_") || line.startsWith("LANG"));
        }
    }

    @Test
    void whatTheUsersConfigurationWantsRunInsteadDoesNotMatter() throws Exception {
        Files.writeString(
                server.config(),
                "Host *\n    RemoteCommand echo theirs\n    RequestTTY force\n    SessionType none\n"
                        + "    ExitOnForwardFailure yes\n    LocalForward 127.0.0.1:1 127.0.0.1:2\n    LogLevel QUIET\n"
                        + Files.readString(server.config()));
        try (Sandbox sandbox = new SshBackend().open(spec(server.options()))) {
            assertThat(Finished.of(sandbox, "echo", "ours").out()).isEqualTo("ours\n");
        }
    }

    @Test
    void aFolderBelowHomeIsFoundOverThere() {
        try (Sandbox sandbox = new SshBackend().open(new SandboxSpec(server.options()).in("~"))) {
            assertThat(Finished.of(sandbox, "sh", "-c", "test \"$PWD\" = \"$HOME\" && echo home")
                            .out())
                    .isEqualTo("home\n");
        }
    }

    @Test
    void aConnectionThatIsLostIsMadeAnew() {
        try (Sandbox sandbox = new SshBackend().open(spec(server.options()))) {
            server.link().cut();

            Awaitility.await()
                    .atMost(SOON)
                    .ignoreExceptions()
                    .until(() -> Finished.of(sandbox, "echo", "back").out().equals("back\n"));
            assertThat(sandbox.alive()).isTrue();
        }
    }

    @Test
    void aConnectionThatDoesNotAnswerIsReplaced() throws Exception {
        SandboxSpec spec = spec(server.options());
        try (Sandbox sandbox = new SshBackend().open(spec)) {
            RunningProcess waiting = sandbox.start(Command.of("cat"));
            server.link().strand();

            waiting.close(); // a caller gave up, so the connection becomes suspect

            assertThat(Finished.of(sandbox, "echo", "back").out()).isEqualTo("back\n");
        }
        assertThat(leftovers(spec)).isEmpty();
    }

    @Test
    void aMachineThatWasStartedAnewIsAnotherPlace() throws Exception {
        Path boot = Files.writeString(folder.resolve("boot"), "one\n");
        Path bin = Files.createDirectory(folder.resolve("bin"));
        Path cat = Files.writeString(bin.resolve("cat"), """
                #!/bin/sh
                case $1 in /proc/sys/kernel/random/boot_id) exec /bin/cat BOOT ;; *) exec /bin/cat "$@" ;; esac
                """.replace("BOOT", boot.toString()));
        Files.setPosixFilePermissions(cat, PosixFilePermissions.fromString("rwxr-xr-x"));
        server.close();
        server = SshServer.start(
                folder, "ForceCommand PATH=" + bin + ":/usr/bin:/bin; export PATH; eval \"$SSH_ORIGINAL_COMMAND\"");
        try (Sandbox sandbox = new SshBackend().open(spec(server.options()))) {
            server.link().cut();
            Awaitility.await().atMost(SOON).until(() -> server.link().connections() == 0);
            assertThat(sandbox.alive()).isTrue();

            Files.writeString(boot, "two\n");
            server.link().cut();
            Awaitility.await().atMost(SOON).until(() -> !sandbox.alive());

            assertThat(Finished.of(sandbox, "echo", "there").out()).isEqualTo("there\n");
        }
    }
}
