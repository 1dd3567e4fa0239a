package dev.talaria.testkit;

import static dev.talaria.testkit.SandboxPlace.Ability.ENVIRONMENT;
import static dev.talaria.testkit.SandboxPlace.Ability.KILLS_TREE;
import static dev.talaria.testkit.SandboxPlace.Ability.SHARES_HOST;

import dev.talaria.api.Isolation;
import java.util.HashMap;
import java.util.Map;

/// The places that the testbed has, one for each backend.
public final class Places {
    private Places() {}

    public static SandboxPlace local() {
        return SandboxPlace.of("local", Map.of(), Isolation.NONE, SHARES_HOST, ENVIRONMENT, KILLS_TREE);
    }

    public static SandboxPlace prefix() {
        return SandboxPlace.of("prefix", Map.of("prefix", "nice -n 1"), Isolation.NONE, KILLS_TREE);
    }

    public static SandboxPlace bubblewrap() {
        return bubblewrap(Map.of());
    }

    public static SandboxPlace bubblewrapClosed() {
        return bubblewrap(Map.of("profile", "closed"));
    }

    private static SandboxPlace bubblewrap(Map<String, String> options) {
        return Testbed.value("BWRAP").isPresent()
                ? SandboxPlace.of("bubblewrap", options, Isolation.NAMESPACE, ENVIRONMENT, KILLS_TREE)
                : SandboxPlace.missing("bubblewrap", Testbed.whyMissing("bwrap"));
    }

    /// A container that Talaria makes.
    public static SandboxPlace docker() {
        return Testbed.value("DOCKER_IMAGE")
                .map(image -> SandboxPlace.of("docker", Map.of("image", image), Isolation.CONTAINER))
                .orElseGet(() -> SandboxPlace.missing("docker", Testbed.whyMissing("docker")));
    }

    /// A container that was there before.
    public static SandboxPlace dockerEntered() {
        return Testbed.value("DOCKER_CONTAINER")
                .map(container -> SandboxPlace.of("docker", Map.of("container", container), Isolation.CONTAINER))
                .orElseGet(() -> SandboxPlace.missing("docker", Testbed.whyMissing("docker")));
    }

    public static SandboxPlace podman() {
        return Testbed.value("PODMAN_IMAGE")
                .map(image -> SandboxPlace.of("podman", podmanOptions(image), Isolation.CONTAINER))
                .orElseGet(() -> SandboxPlace.missing("podman", Testbed.whyMissing("podman")));
    }

    /// Returns what Podman needs on this machine.
    public static Map<String, String> podmanOptions(String image) {
        Map<String, String> options = new HashMap<>(Map.of("image", image));
        Testbed.value("PODMAN_RUNTIME").ifPresent(runtime -> options.put("runtime", runtime));
        Testbed.value("PODMAN_ULIMITS").ifPresent(limits -> options.put("ulimits", limits));
        return options;
    }

    public static SandboxPlace gvisor() {
        return Testbed.value("GVISOR_CONTAINER")
                .map(container -> SandboxPlace.of("docker", Map.of("container", container), Isolation.KERNEL))
                .orElseGet(() -> SandboxPlace.missing("docker", Testbed.whyMissing("gvisor")));
    }

    public static SandboxPlace apptainer() {
        return Testbed.value("APPTAINER").isPresent()
                ? SandboxPlace.of("apptainer", apptainerOptions(), Isolation.NAMESPACE, KILLS_TREE)
                : SandboxPlace.missing("apptainer", Testbed.whyMissing("apptainer"));
    }

    public static Map<String, String> apptainerOptions() {
        return Map.of(
                "binary", Testbed.value("APPTAINER").orElseThrow(),
                "image", Testbed.value("APPTAINER_IMAGE").orElseThrow(),
                "scratch", Testbed.value("APPTAINER_SCRATCH").orElseThrow());
    }

    public static SandboxPlace ssh() {
        return Testbed.value("SSH_HOST")
                .map(Places::ssh)
                .orElseGet(() -> SandboxPlace.missing("ssh", Testbed.whyMissing("ssh")));
    }

    /// An ordinary user whose login shell is none that reads POSIX.
    public static SandboxPlace sshFish() {
        return Testbed.value("SSH_SHELLS")
                .filter(kinds -> kinds.contains("fish"))
                .flatMap(_ -> Testbed.value("SSH_HOST"))
                .map(host -> ssh(host + "-fish"))
                .orElseGet(() -> SandboxPlace.missing("ssh", Testbed.whyMissing("ssh_shells")));
    }

    private static SandboxPlace ssh(String host) {
        String config = Testbed.value("SSH_CONFIG").orElseThrow();
        return SandboxPlace.of("ssh", Map.of("host", host, "config", config), Isolation.MACHINE);
    }
}
