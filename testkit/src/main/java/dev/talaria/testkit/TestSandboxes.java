package dev.talaria.testkit;

import static dev.talaria.testkit.TestSandbox.Ability.ENVIRONMENT;
import static dev.talaria.testkit.TestSandbox.Ability.KILLS_TREE;
import static dev.talaria.testkit.TestSandbox.Ability.SHARES_HOST;

import dev.talaria.api.Isolation;
import java.util.HashMap;
import java.util.Map;

/// The sandboxes of the testbed, one for each backend.
public final class TestSandboxes {
    private TestSandboxes() {}

    public static TestSandbox local() {
        return TestSandbox.of("local", Map.of(), Isolation.NONE, SHARES_HOST, ENVIRONMENT, KILLS_TREE);
    }

    public static TestSandbox prefix() {
        return TestSandbox.of("prefix", Map.of("prefix", "nice -n 1"), Isolation.NONE, KILLS_TREE);
    }

    public static TestSandbox bubblewrap() {
        return bubblewrap(Map.of());
    }

    public static TestSandbox bubblewrapClosed() {
        return bubblewrap(Map.of("profile", "closed"));
    }

    private static TestSandbox bubblewrap(Map<String, String> options) {
        return Testbed.value("BWRAP").isPresent()
                ? TestSandbox.of("bubblewrap", options, Isolation.NAMESPACE, ENVIRONMENT, KILLS_TREE)
                : TestSandbox.missing("bubblewrap", Testbed.whyMissing("bwrap"));
    }

    /// A container that Talaria makes.
    public static TestSandbox docker() {
        return Testbed.value("DOCKER_IMAGE")
                .map(image -> TestSandbox.of("docker", Map.of("image", image), Isolation.CONTAINER))
                .orElseGet(() -> TestSandbox.missing("docker", Testbed.whyMissing("docker")));
    }

    /// A container that existed before.
    public static TestSandbox dockerEntered() {
        return Testbed.value("DOCKER_CONTAINER")
                .map(container -> TestSandbox.of("docker", Map.of("container", container), Isolation.CONTAINER))
                .orElseGet(() -> TestSandbox.missing("docker", Testbed.whyMissing("docker")));
    }

    public static TestSandbox podman() {
        return Testbed.value("PODMAN_IMAGE")
                .map(image -> TestSandbox.of("podman", podmanOptions(image), Isolation.CONTAINER))
                .orElseGet(() -> TestSandbox.missing("podman", Testbed.whyMissing("podman")));
    }

    /// Returns what Podman needs on this machine.
    public static Map<String, String> podmanOptions(String image) {
        Map<String, String> options = new HashMap<>(Map.of("image", image));
        Testbed.value("PODMAN_RUNTIME").ifPresent(runtime -> options.put("runtime", runtime));
        Testbed.value("PODMAN_ULIMITS").ifPresent(limits -> options.put("ulimits", limits));
        return options;
    }

    public static TestSandbox gvisor() {
        return Testbed.value("GVISOR_CONTAINER")
                .map(container -> TestSandbox.of("docker", Map.of("container", container), Isolation.KERNEL))
                .orElseGet(() -> TestSandbox.missing("docker", Testbed.whyMissing("gvisor")));
    }

    public static TestSandbox apptainer() {
        return Testbed.value("APPTAINER").isPresent()
                ? TestSandbox.of("apptainer", apptainerOptions(), Isolation.NAMESPACE, KILLS_TREE)
                : TestSandbox.missing("apptainer", Testbed.whyMissing("apptainer"));
    }

    public static Map<String, String> apptainerOptions() {
        return Map.of(
                "binary", Testbed.value("APPTAINER").orElseThrow(),
                "image", Testbed.value("APPTAINER_IMAGE").orElseThrow(),
                "scratch", Testbed.value("APPTAINER_SCRATCH").orElseThrow());
    }

    public static TestSandbox ssh() {
        return Testbed.value("SSH_HOST")
                .map(TestSandboxes::ssh)
                .orElseGet(() -> TestSandbox.missing("ssh", Testbed.whyMissing("ssh")));
    }

    /// An ordinary user whose login shell does not read POSIX.
    public static TestSandbox sshFish() {
        return Testbed.value("SSH_SHELLS")
                .filter(kinds -> kinds.contains("fish"))
                .flatMap(_ -> Testbed.value("SSH_HOST"))
                .map(host -> ssh(host + "-fish"))
                .orElseGet(() -> TestSandbox.missing("ssh", Testbed.whyMissing("ssh_shells")));
    }

    private static TestSandbox ssh(String host) {
        String config = Testbed.value("SSH_CONFIG").orElseThrow();
        return TestSandbox.of("ssh", Map.of("host", host, "config", config), Isolation.MACHINE);
    }
}
