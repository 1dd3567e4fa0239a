package dev.talaria.backends.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Command;
import dev.talaria.api.Isolation;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxSpec;
import dev.talaria.testkit.TestSandboxes;
import dev.talaria.testkit.Testbed;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// A container that Talaria makes with gVisor's runtime.
class GvisorTest {
    @Test
    void theRuntimeOptionMakesAContainerWithAKernelOfItsOwn() throws Exception {
        TestSandboxes.gvisor().missing().ifPresent(why -> {
            System.out.println("SKIPPED GvisorTest: " + why);
            Assumptions.abort(why);
        });
        String image = Testbed.value("DOCKER_IMAGE").orElseThrow();
        SandboxSpec spec = new SandboxSpec(Map.of("image", image, "runtime", "runsc"));

        try (Sandbox sandbox = new DockerBackend().open(spec);
                RunningProcess process = sandbox.start(Command.of("cat", "/proc/version"))) {
            assertThat(sandbox.isolation()).isEqualTo(Isolation.KERNEL);
            assertThat(sandbox.reachesHost()).isFalse();
            assertThat(new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("4.4.0");
            assertThat(process.waitFor(Duration.ofSeconds(30))).contains(0);
        }
    }
}
