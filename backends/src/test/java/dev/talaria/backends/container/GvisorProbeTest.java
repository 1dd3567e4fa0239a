package dev.talaria.backends.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.Isolation;
import dev.talaria.api.SandboxException;
import dev.talaria.backends.process.Client;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GvisorProbeTest {
    private static Optional<String> here(List<String> argv) {
        return Client.output(argv);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"runsc", "gvisor", "/usr/local/bin/runsc", "runsc-kvm", "my-runsc", "io.containerd.runsc.v1"})
    void aRuntimeThatClaimsToBeGvisorButHasAnotherKernelIsRefused(String runtime) {
        assertThatThrownBy(() -> GvisorProbe.isolation("box", runtime, GvisorProbeTest::here))
                .isInstanceOfSatisfying(
                        SandboxException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BACKEND_UNAVAILABLE))
                .hasMessageContaining(runtime)
                .hasMessageContaining("box");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "runc", "crun", "io.containerd.runc.v2", "runscript"})
    void othersAreContainersAndNotAsked(String runtime) {
        assertThat(GvisorProbe.isolation("box", runtime, _ -> Optional.of("Starting gVisor...")))
                .isEqualTo(Isolation.CONTAINER);
    }

    @Test
    void anImageWithoutDmesgIsAskedForItsVersion() {
        Isolation proved = GvisorProbe.isolation(
                "box",
                "runsc",
                argv -> argv.contains("/proc/version")
                        ? Optional.of("Linux version 4.4.0 #1 SMP Sun Jan 10 15:06:54 PST 2016")
                        : Optional.empty());

        assertThat(proved).isEqualTo(Isolation.KERNEL);
    }
}
