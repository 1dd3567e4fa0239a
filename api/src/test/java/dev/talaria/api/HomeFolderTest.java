package dev.talaria.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HomeFolderTest {
    private static final Path ACCOUNT = Path.of(System.getProperty("user.home"));

    @Test
    void homeIsWhatTheVariableSaysAndElseTheAccounts() {
        assertThat(HomeFolder.of(Map.of("HOME", "/tmp/elsewhere"))).isEqualTo(Path.of("/tmp/elsewhere"));
        assertThat(HomeFolder.of(Map.of("HOME", "elsewhere"))).isEqualTo(ACCOUNT);
        assertThat(HomeFolder.of(Map.of())).isEqualTo(ACCOUNT);
    }

    @Test
    void foldersOfXdgComeFirst() {
        Map<String, String> home = Map.of("HOME", "/h");
        Map<String, String> both = Map.of("HOME", "/h", "XDG_CACHE_HOME", "/c");
        Map<String, String> relative = Map.of("HOME", "/h", "XDG_CACHE_HOME", "c");
        assertThat(HomeFolder.of(home, "XDG_CACHE_HOME", ".cache")).isEqualTo(Path.of("/h/.cache"));
        assertThat(HomeFolder.of(both, "XDG_CACHE_HOME", ".cache")).isEqualTo(Path.of("/c"));
        assertThat(HomeFolder.of(relative, "XDG_CACHE_HOME", ".cache")).isEqualTo(Path.of("/h/.cache"));
    }
}
