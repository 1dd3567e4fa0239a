package dev.talaria.backends;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.talaria.api.Command;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.testkit.Testbed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a namespace keeps out, proved.
class BubblewrapTest {
    @TempDir
    Path workspace;

    @BeforeEach
    void needsBubblewrap() {
        Assumptions.assumeTrue(Testbed.value("BWRAP").isPresent(), Testbed.whyMissing("bwrap"));
    }

    private Sandbox open() {
        return new BubblewrapBackend().open(new SandboxSpec(Optional.of(workspace.toString()), Map.of()));
    }

    private static String shell(Sandbox sandbox, String script) throws IOException, InterruptedException {
        try (RunningProcess process = sandbox.start(Command.of("sh", "-c", script + " 2>&1"))) {
            process.stdin().close();
            String out = new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(Duration.ofSeconds(10))).isPresent();
            return out.strip();
        }
    }

    @Test
    void onlyTheWorkingFolderAndTmpCanBeWrittenTo(@TempDir Path outside) throws Exception {
        try (Sandbox sandbox = open()) {
            assertThat(shell(sandbox, "pwd; echo x > here && cat here")).isEqualTo(workspace + "\nx");
            shell(sandbox, "echo x > " + outside + "/there; echo x > /etc/talaria-test; echo x > ~/talaria-test");
        }

        assertThat(workspace.resolve("here")).exists();
        assertThat(outside.resolve("there")).doesNotExist();
        assertThat(Path.of("/etc/talaria-test")).doesNotExist();
        assertThat(Path.of(System.getProperty("user.home"), "talaria-test")).doesNotExist();
    }

    @Test
    void itsCommandsShareATmpThatEndsWithIt() throws Exception {
        Path temporary;
        try (Sandbox sandbox = open()) {
            shell(sandbox, "echo kept > /tmp/note; mkdir -p /tmp/a/b; chmod 0 /tmp/a");

            assertThat(shell(sandbox, "cat /tmp/note")).isEqualTo("kept");
            assertThat(Path.of("/tmp/note")).doesNotExist();
            temporary = Path.of(
                    shell(sandbox, "sed -n 's|.* /\\(tmp/talaria-bwrap-[^ ]*\\) /tmp .*|/\\1|p' /proc/self/mountinfo"));
        }
        assertThat(temporary).isAbsolute().doesNotExist();
    }

    @Test
    void whatADeadJvmLeftIsRemoved() throws Exception {
        long dead = new ProcessBuilder("true").start().onExit().join().pid();
        Path left = Files.createDirectory(
                Path.of(System.getProperty("java.io.tmpdir"), "talaria-bwrap-" + dead + "-" + System.nanoTime()));

        open().close();

        assertThat(left).doesNotExist();
    }

    @Test
    void otherProcessesCannotBeSeen() throws Exception {
        try (Sandbox sandbox = open()) {
            String seen = shell(sandbox, "ls -d /proc/[0-9]* | wc -l");

            assertThat(Integer.parseInt(seen)).isLessThan(8);
        }
    }

    @Test
    void nobodyHasCapabilities() throws Exception {
        try (Sandbox sandbox = open()) {
            assertThat(shell(sandbox, "sed -n 's/^CapEff:\\s*//p' /proc/self/status"))
                    .isEqualTo("0000000000000000");
        }
    }

    @Test
    void theRootFolderIsNoWorkspace() {
        assertThatThrownBy(() -> new BubblewrapBackend()
                        .open(new SandboxSpec(Optional.of("/"), Map.of()))
                        .close())
                .isInstanceOfSatisfying(
                        SandboxException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION));
    }

    @Test
    void whatACommandLeavesBehindDiesWithIt() throws Exception {
        Sleepers sleepers = new Sleepers();
        try (Sandbox sandbox = open()) {
            shell(sandbox, "(setsid " + sleepers.command() + " > /dev/null &); true");

            org.awaitility.Awaitility.await().until(() -> sleepers.living() == 0);
        }
    }

    @Test
    void theWorkspaceMayLieInTmp() throws Exception {
        Path below = Files.createTempDirectory(Path.of("/tmp"), "talaria-test");
        try (Sandbox sandbox = new BubblewrapBackend().open(new SandboxSpec(Optional.of(below.toString()), Map.of()))) {
            shell(sandbox, "echo x > file");

            assertThat(below.resolve("file")).exists();
        } finally {
            Files.delete(below.resolve("file"));
            Files.delete(below);
        }
    }
}
