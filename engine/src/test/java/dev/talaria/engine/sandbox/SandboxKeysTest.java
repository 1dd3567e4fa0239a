package dev.talaria.engine.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.admin.SessionOverride;
import dev.talaria.engine.config.DeclaredBackend;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.SandboxScope;
import dev.talaria.engine.config.SandboxSettings;
import dev.talaria.engine.config.Settings;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The rules in the order of decision 8.
final class SandboxKeysTest {
    private static final Map<String, String> KEPT = Map.of("persistent", "true");
    private static final SandboxSettings STANDARD = SandboxSettings.defaults();
    private static final SessionOverride NONE = SessionOverride.NONE;

    private static SandboxKeys keys(boolean shares, Map<String, String> options, SandboxSettings sandbox) {
        Settings settings = Settings.defaults(Folders.below(Path.of("/t")))
                .withBackend("some", options)
                .withSandbox(sandbox);
        return new SandboxKeys(settings, new DeclaredBackend("some", true, shares));
    }

    @Test
    void anotherImageOrBackendIsolatesATaskAndAnotherFolderDoesNot() {
        SandboxKeys keys = keys(true, KEPT, STANDARD.withSharedKey("team"));

        assertThat(keys.of("a", SessionOverride.image("other"))).isEqualTo("a");
        assertThat(keys.of("a", NONE.withBackend("local"))).isEqualTo("a");
        assertThat(keys.of("a", SessionOverride.cwd("/srv"))).isEqualTo("shared:team");
        assertThat(keys.of("shared:team", SessionOverride.image("other"))).isEqualTo("session:shared:team");
        SandboxKeys plain = keys(true, KEPT, STANDARD);
        assertThat(plain.of("default", SessionOverride.image("other"))).isEqualTo("session:default");
        assertThat(plain.of("session:default", SessionOverride.image("other"))).isEqualTo("session:session:default");
    }

    @Test
    void aContainerThatIsNotKeptIsTheTasksOwn() {
        for (SandboxSettings sandbox : new SandboxSettings[] {STANDARD, STANDARD.withSharedKey("team")}) {
            assertThat(keys(true, Map.of(), sandbox).of("a", NONE)).isEqualTo("a");
            assertThat(keys(true, Map.of("persistent", "no"), sandbox).of("a", NONE))
                    .isEqualTo("a");
        }
    }

    @Test
    void oneThatIsKeptIsForAllSessionsByItsNameOrAsTheDefault() {
        SandboxKeys named = keys(true, KEPT, STANDARD.withSharedKey("team"));
        assertThat(named.of("default", NONE)).isEqualTo("shared:team");
        assertThat(named.of("mcp-1", NONE)).isEqualTo("shared:team");
        assertThat(named.isShared("shared:team")).isTrue();
        SandboxKeys plain = keys(true, Map.of("persistent", "1"), STANDARD.withScope(SandboxScope.SHARED));
        assertThat(plain.of("default", NONE)).isEqualTo("default");
        assertThat(plain.of("mcp-1", NONE)).isEqualTo("default");
    }

    @Test
    void everywhereElseEachSessionHasItsOwn() {
        SandboxKeys keys = keys(false, KEPT, STANDARD.withSharedKey("team"));
        assertThat(keys.of("default", NONE)).isEqualTo("default");
        assertThat(keys.of("mcp-1", NONE)).isEqualTo("mcp-1");
        assertThat(keys.isShared("mcp-1")).isFalse();
        SandboxKeys shared = keys(false, KEPT, STANDARD.withScope(SandboxScope.SHARED));
        assertThat(shared.of("a", NONE)).isEqualTo(shared.of("b", NONE));
        assertThat(shared.of("a", SessionOverride.image("other"))).isEqualTo("a");
    }
}
