package dev.talaria.backends;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Backend;
import dev.talaria.api.Backends;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Checks the declarations of backends, without opening a sandbox.
final class DeclarationsTest {

    @ParameterizedTest
    @CsvSource({
        "local, true, false, false, ",
        "bubblewrap, true, true, false, ",
        "docker, false, true, true, persistent",
        "podman, false, true, true, persistent",
        "apptainer, false, true, false, persistent",
        "ssh, false, false, false, ",
        "prefix, false, false, false, "
    })
    void eachSaysWhatItIs(String name, boolean worksHere, boolean isolates, boolean shares, @Nullable String keeps) {
        Backend backend = Backends.find(name).orElseThrow();

        assertThat(backend.worksInHostFolders()).isEqualTo(worksHere);
        assertThat(backend.isolates()).isEqualTo(isolates);
        assertThat(backend.keepOption()).isEqualTo(Optional.ofNullable(keeps));
        assertThat(backend.sharesWhatItKeeps(Map.of("persistent", "true"))).isEqualTo(shares);
        assertThat(backend.sharesWhatItKeeps(Map.of("container", "other"))).isFalse();
    }
}
