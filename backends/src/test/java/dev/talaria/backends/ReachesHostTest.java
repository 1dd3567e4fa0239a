package dev.talaria.backends;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.talaria.api.Backend;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxSpec;
import dev.talaria.backends.bubblewrap.BubblewrapBackend;
import dev.talaria.backends.container.DockerBackend;
import dev.talaria.backends.local.LocalBackend;
import dev.talaria.backends.prefix.PrefixBackend;
import dev.talaria.backends.process.Client;
import dev.talaria.backends.ssh.SshBackend;
import dev.talaria.testkit.TestSandboxes;
import dev.talaria.testkit.Testbed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// Which sandboxes the gate has to guard.
final class ReachesHostTest {

    @Test
    void thisMachineIsReachedWithoutAContainer() {
        assertThat(reaches(new LocalBackend(), Map.of())).isTrue();
        assertThat(reaches(new PrefixBackend(), Map.of("prefix", "nice -n 1"))).isTrue();
        if (Testbed.value("BWRAP").isPresent()) {
            assertThat(reaches(new BubblewrapBackend(), Map.of())).isTrue();
        }
    }

    @Test
    void aMachineBehindSshIsSomebodys() {
        assumeTrue(TestSandboxes.ssh().missing().isEmpty(), () -> Testbed.whyMissing("ssh"));
        assertThat(reaches(new SshBackend(), TestSandboxes.ssh().options())).isTrue();
    }

    @Test
    void aContainerReachesTheHostThroughWhatItWasGiven() {
        Optional<String> image = Testbed.value("DOCKER_IMAGE");
        assumeTrue(image.isPresent(), () -> Testbed.whyMissing("docker"));
        assertThat(container(image.get(), List.of())).isFalse();
        assertThat(container(image.get(), List.of("-v", "/data")))
                .as("a volume of Docker's own")
                .isFalse();
        assertThat(container(image.get(), List.of("-v", "/tmp:/host:ro"))).isTrue();
        assertThat(container(image.get(), List.of("-v", "/var/run/docker.sock:/docker.sock")))
                .isTrue();
        assertThat(container(image.get(), List.of("--privileged"))).isTrue();
        assertThat(container(image.get(), List.of("--pid", "host"))).isTrue();
    }

    private static boolean container(String image, List<String> options) {
        String name = "talaria-reach-" + UUID.randomUUID().toString().substring(0, 8);
        List<String> run = new ArrayList<>(List.of("docker", "run", "-d", "--rm", "--name", name));
        run.addAll(options);
        run.addAll(List.of(image, "sleep", "120"));
        Client.Finished started = Client.attempt(run);
        assumeTrue(started.ended(0), () -> "docker run " + options + ": " + started.said());
        try {
            return reaches(new DockerBackend(), Map.of("container", name));
        } finally {
            Client.attempt(List.of("docker", "rm", "-f", name));
        }
    }

    private static boolean reaches(Backend backend, Map<String, String> options) {
        try (Sandbox sandbox = backend.open(new SandboxSpec(options))) {
            return sandbox.reachesHost();
        }
    }
}
