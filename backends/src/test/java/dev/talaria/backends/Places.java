package dev.talaria.backends;

import static dev.talaria.testkit.SandboxPlace.Ability.ENVIRONMENT;
import static dev.talaria.testkit.SandboxPlace.Ability.KILLS_TREE;
import static dev.talaria.testkit.SandboxPlace.Ability.SHARES_HOST;

import dev.talaria.api.Isolation;
import dev.talaria.testkit.SandboxPlace;
import dev.talaria.testkit.Testbed;
import java.util.Map;
import java.util.Optional;

/// The places that the testbed has, one for each backend.
final class Places {
    private Places() {}

    static SandboxPlace local() {
        return SandboxPlace.of("local", Map.of(), Isolation.NONE, SHARES_HOST, ENVIRONMENT, KILLS_TREE);
    }

    static SandboxPlace prefix() {
        return SandboxPlace.of("prefix", Map.of("prefix", "nice -n 1"), Isolation.NONE, KILLS_TREE);
    }

    static SandboxPlace bubblewrap() {
        return bubblewrap(Map.of());
    }

    static SandboxPlace bubblewrapClosed() {
        return bubblewrap(Map.of("profile", "closed"));
    }

    private static SandboxPlace bubblewrap(Map<String, String> options) {
        return Testbed.value("BWRAP").isPresent()
                ? SandboxPlace.of("bubblewrap", options, Isolation.NAMESPACE, ENVIRONMENT, KILLS_TREE)
                : SandboxPlace.missing("bubblewrap", Testbed.whyMissing("bwrap"));
    }

    static SandboxPlace docker() {
        return Testbed.value("DOCKER_CONTAINER")
                .map(container -> SandboxPlace.of("docker", Map.of("container", container), Isolation.CONTAINER))
                .orElseGet(() -> SandboxPlace.missing("docker", Testbed.whyMissing("docker")));
    }

    static SandboxPlace ssh() {
        Optional<String> config = Testbed.value("SSH_CONFIG");
        return Testbed.value("SSH_HOST")
                .filter(_ -> config.isPresent())
                .map(host ->
                        SandboxPlace.of("ssh", Map.of("host", host, "config", config.orElseThrow()), Isolation.MACHINE))
                .orElseGet(() -> SandboxPlace.missing("ssh", Testbed.whyMissing("ssh")));
    }
}
