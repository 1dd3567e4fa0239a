package dev.talaria.backends;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.talaria.api.Backend;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.backends.apptainer.ApptainerBackend;
import dev.talaria.backends.container.DockerBackend;
import dev.talaria.backends.prefix.PrefixBackend;
import dev.talaria.backends.ssh.SshBackend;
import dev.talaria.testkit.Testbed;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// If a sandbox cannot be opened, the error comes at once and names the next step.
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OpeningTest {

    private static AbstractThrowableAssert<?, ?> refusal(Backend backend, Map<String, String> options, ErrorCode code) {
        return assertThatThrownBy(() -> {
                    try (Sandbox sandbox = backend.open(new SandboxSpec(options))) {
                        throw new AssertionError(sandbox.name() + " was opened");
                    }
                })
                .isInstanceOfSatisfying(
                        SandboxException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void everyBackendIsFound() {
        assertThat(ServiceLoader.load(Backend.class).stream()
                        .map(provider -> provider.get().name()))
                .containsExactlyInAnyOrder("local", "bubblewrap", "docker", "podman", "apptainer", "ssh", "prefix");
    }

    @Test
    void aPlaceMustBeNamed() {
        refusal(new ApptainerBackend(), Map.of(), ErrorCode.INVALID_CONFIGURATION)
                .hasMessageContaining("option image");
        refusal(new SshBackend(), Map.of("host", " "), ErrorCode.INVALID_CONFIGURATION)
                .hasMessageContaining("option host");
        refusal(new PrefixBackend(), Map.of(), ErrorCode.INVALID_CONFIGURATION).hasMessageContaining("option prefix");
    }

    @Test
    void aNameIsNeverTakenForAFlag() {
        refusal(new DockerBackend(), Map.of("container", "--privileged"), ErrorCode.INVALID_CONFIGURATION);
        refusal(new SshBackend(), Map.of("host", "-oProxyCommand=id"), ErrorCode.INVALID_CONFIGURATION);
    }

    @Test
    void anUnknownContainerIsNamed() {
        Assumptions.assumeTrue(Testbed.value("DOCKER_CONTAINER").isPresent(), Testbed.whyMissing("docker"));

        refusal(new DockerBackend(), Map.of("container", "no-such-container"), ErrorCode.BACKEND_UNAVAILABLE)
                .hasMessageContaining("There is no container no-such-container")
                .hasMessageContaining("docker ps");
    }

    @Test
    void anUnreachableHostIsNamed() {
        Assumptions.assumeTrue(Testbed.value("SSH_HOST").isPresent(), Testbed.whyMissing("ssh"));

        refusal(new SshBackend(), Map.of("host", "127.0.0.1", "port", "1"), ErrorCode.BACKEND_UNAVAILABLE)
                .hasMessageContaining("127.0.0.1")
                .hasMessageContaining("Check that the machine is up");
        refusal(new SshBackend(), Map.of("host", "no-such-host.invalid"), ErrorCode.BACKEND_UNAVAILABLE)
                .hasMessageContaining("Check the name");
    }

    @Test
    void aPrefixThatRunsNothingIsNamed() {
        refusal(new PrefixBackend(), Map.of("prefix", "false"), ErrorCode.BACKEND_UNAVAILABLE)
                .hasMessageContaining("'false'");
        refusal(new PrefixBackend(), Map.of("prefix", "no-such-client exec"), ErrorCode.BACKEND_UNAVAILABLE)
                .hasMessageContaining("no-such-client");
    }
}
