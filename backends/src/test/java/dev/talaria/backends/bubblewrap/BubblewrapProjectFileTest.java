package dev.talaria.backends.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Command;
import dev.talaria.api.HostView;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxSpec;
import dev.talaria.testkit.Testbed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A project's `talaria.yaml` that is not a plain file. `BubblewrapTest` tests the plain one.
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BubblewrapProjectFileTest {
    private static final String REPLACE =
            "rm -rf talaria.yaml; mv talaria.yaml aside; echo evil > new; mv -T new talaria.yaml; ln -sfT new talaria.yaml";

    @TempDir
    Path folder;

    private Path workspace = Path.of("/");

    @BeforeEach
    void needsBubblewrap() throws IOException {
        Assumptions.assumeTrue(Testbed.value("BWRAP").isPresent(), Testbed.whyMissing("bwrap"));
        workspace = Files.createDirectory(folder.toRealPath().resolve("work"));
    }

    private Sandbox open() {
        return new BubblewrapBackend()
                .open(SandboxSpec.empty().in(workspace.toString()).with(HostView.NONE));
    }

    private static String shell(Sandbox sandbox, String script) throws IOException, InterruptedException {
        try (RunningProcess process = sandbox.start(Command.of("sh", "-c", "exec 2>&1; " + script))) {
            process.stdin().close();
            String out = new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(Duration.ofSeconds(10))).isPresent();
            return out.strip();
        }
    }

    @Test
    void aFolderOfThatNameCannotBeReplaced() throws Exception {
        Path file = Files.createDirectory(workspace.resolve("talaria.yaml"));
        Files.writeString(file.resolve("inside"), "x");
        try (Sandbox sandbox = open()) {
            shell(sandbox, REPLACE + "; echo evil > talaria.yaml/inside; echo fine > fine");
        }
        assertThat(file.resolve("inside")).hasContent("x");
        assertThat(Files.isSymbolicLink(file)).isFalse();
        assertThat(workspace.resolve("fine")).hasContent("fine");
    }

    /// It does not count as the project's file (`ProjectFileTest`); the result says that it can become one.
    @Test
    void aLinkIsNamed() throws Exception {
        Path target = Files.writeString(folder.resolve("elsewhere.yaml"), "tools: [terminal]");
        Files.createSymbolicLink(workspace.resolve("talaria.yaml"), target);
        try (Sandbox sandbox = open()) {
            assertThat(sandbox.remarks()).anyMatch(remark -> remark.startsWith(workspace + "/talaria.yaml is a link"));
            shell(sandbox, "echo evil > talaria.yaml");
        }
        assertThat(target).hasContent("tools: [terminal]");
    }
}
