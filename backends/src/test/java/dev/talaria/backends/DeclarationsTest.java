package dev.talaria.backends;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Backend;
import dev.talaria.api.Backends;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Checks the declarations of backends, without opening a sandbox.
final class DeclarationsTest {

    @ParameterizedTest
    @CsvSource({
        "local, true, false, false",
        "bubblewrap, true, true, false",
        "docker, false, true, true",
        "podman, false, true, true",
        "apptainer, false, true, false",
        "ssh, false, false, false",
        "prefix, false, false, false"
    })
    void eachSaysWhatItIs(String name, boolean worksHere, boolean isolates, boolean shares) {
        Backend backend = Backends.find(name).orElseThrow();

        assertThat(backend.worksInHostFolders()).isEqualTo(worksHere);
        assertThat(backend.isolates()).isEqualTo(isolates);
        assertThat(backend.sharesWhatItKeeps(Map.of("persistent", "true"))).isEqualTo(shares);
        assertThat(backend.sharesWhatItKeeps(Map.of("container", "other"))).isFalse();
    }
}
