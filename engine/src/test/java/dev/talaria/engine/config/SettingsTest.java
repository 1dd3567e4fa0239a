package dev.talaria.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SettingsTest {
    private static final Settings DEFAULTS = Settings.defaults(Folders.below(Path.of("/t")));

    @Test
    void defaultsAreTheDocumentedOnes() {
        assertThat(DEFAULTS)
                .isEqualTo(new Settings(
                        "local",
                        Map.of(),
                        Transport.AUTO,
                        Optional.empty(),
                        new ScriptSettings(
                                ScriptMode.PROJECT,
                                Optional.empty(),
                                Optional.empty(),
                                new Limit<>(Duration.ofMinutes(5), Duration.ofHours(1)),
                                new Limit<>(50, 1000),
                                50_000,
                                10_000,
                                Optional.empty(),
                                Optional.empty()),
                        new TerminalSettings(
                                new Limit<>(Duration.ofMinutes(3), Duration.ofMinutes(10)),
                                true,
                                new NoticeSettings(NoticePolicy.ALL, 200)),
                        new ChildEnvironment(List.of(), Optional.empty(), Optional.empty()),
                        new OutputSettings(true, 100_000, 67_108_864, 1_073_741_824, Duration.ofDays(7)),
                        new RpcSettings(16_777_216, false),
                        new ApprovalSettings(
                                ApprovalMode.MANUAL, Duration.ofMinutes(5), Duration.ofHours(1), List.of(), List.of()),
                        new SudoSettings(Optional.empty(), Duration.ofSeconds(45)),
                        new SandboxSettings(SandboxScope.SESSION, false, Duration.ofMinutes(5), 0, Optional.empty()),
                        new SyncSettings(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                List.of(".git", "node_modules", "__pycache__", ".venv"),
                                2_147_483_648L),
                        Folders.below(Path.of("/t")),
                        Optional.empty()));
    }

    @Test
    void aLimitGivesWhatIsAskedUpToItsCeiling() {
        Limit<Integer> limit = new Limit<>(50, 100);

        assertThat(limit.allowed(7)).isEqualTo(7);
        assertThat(limit.allowed(70)).isEqualTo(70);
        assertThat(limit.allowed(101)).isEqualTo(100);
        assertThatThrownBy(() -> new Limit<>(2, 1)).hasMessageContaining("above its ceiling");
    }

    @Test
    void absentToolsMeanAllAndNoneMeansNone() {
        assertThat(DEFAULTS.allows("terminal")).isTrue();
        assertThat(DEFAULTS.withTools(List.of("read_file")).allows("read_file")).isTrue();
        assertThat(DEFAULTS.withTools(List.of("read_file")).allows("terminal")).isFalse();
        assertThat(DEFAULTS.withTools(List.of()).allows("terminal")).isFalse();
    }

    @Test
    void impossibleValuesNameTheirKey() {
        assertThatThrownBy(() -> DEFAULTS.withBackend(" ", Map.of())).hasMessageContaining("backend");
        assertThatThrownBy(() -> DEFAULTS.script().withOutputBytes(-1, 0)).hasMessageContaining("script.stdout-bytes");
        assertThatThrownBy(() -> DEFAULTS.script().withMemoryBytes(0)).hasMessageContaining("script.memory-bytes");
        assertThatThrownBy(() -> DEFAULTS.script().withTimeout(new Limit<>(Duration.ZERO, Duration.ZERO)))
                .hasMessageContaining("script.timeout");
        assertThatThrownBy(() -> new OutputSettings(true, 1, 0, 0, Duration.ofDays(1)))
                .hasMessageContaining("output.result-chars");
        assertThatThrownBy(() -> new RpcSettings(1, false)).hasMessageContaining("rpc.max-line-bytes");
    }
}
