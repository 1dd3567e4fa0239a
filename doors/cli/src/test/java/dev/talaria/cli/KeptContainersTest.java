package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.testkit.Testbed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Later processes find a kept container by its name.
final class KeptContainersTest {
    @TempDir
    private Path folder;

    private InProcess.CliResult sh(Optional<String> key, String command) throws Exception {
        Optional<String> image = Testbed.value("DOCKER_IMAGE");
        Assumptions.assumeTrue(image.isPresent(), () -> Testbed.whyMissing("docker"));
        List<String> whole =
                new ArrayList<>(List.of("env", "TERMINAL_ENV=docker", "TERMINAL_CONTAINER_PERSISTENT=true"));
        whole.addAll(List.of("TERMINAL_DOCKER_IMAGE=" + image.get(), "TERMINAL_SANDBOX_DIR=" + folder));
        key.ifPresent(name -> whole.add("TERMINAL_DOCKER_SHARED_CONTAINER_KEY=" + name));
        whole.addAll(CliProcess.command("sh", "--", command));
        try (CliProcess talaria = CliProcess.start(folder, whole)) {
            return talaria.end();
        }
    }

    @Test
    void twoProcessesWithOneNameShareTheWorkspaceAndTheHome() throws Exception {
        Optional<String> team = Optional.of("the team");

        InProcess.CliResult first = sh(team, "echo one > kept; echo two > ~/kept; hostname");
        InProcess.CliResult second = sh(team, "cat kept ~/kept; hostname");
        InProcess.CliResult other = sh(Optional.empty(), "cat kept || echo nothing > kept");
        InProcess.CliResult again = sh(Optional.empty(), "cat kept");

        assertThat(first.exit()).as(first.err()).isZero();
        assertThat(first.err()).doesNotContain("SHARED_CONTAINER_KEY");
        assertThat(second.out())
                .startsWith("one\ntwo\n")
                .doesNotContain(first.out().strip());
        assertThat(other.err() + other.out()).contains("No such file");
        assertThat(again.out()).isEqualTo("nothing\n");
    }
}
