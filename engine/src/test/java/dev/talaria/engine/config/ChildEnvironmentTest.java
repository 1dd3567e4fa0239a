package dev.talaria.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ChildEnvironmentTest {
    private static final Map<String, String> INJECTED =
            Map.of("PYTHONDONTWRITEBYTECODE", "1", "PYTHONIOENCODING", "utf-8", "PYTHONUTF8", "1");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PATH",
                "HOME",
                "USER",
                "USERNAME",
                "LANG",
                "LANGUAGE",
                "LC_ALL",
                "TERM",
                "TERM_PROGRAM",
                "TMPDIR",
                "TMP",
                "TEMP",
                "SHELL",
                "LOGNAME",
                "XDG_RUNTIME_DIR",
                "PYTHONPATH",
                "VIRTUAL_ENV",
                "CONDA_PREFIX",
                "HERMES_HOME",
                "HERMES_PROFILE",
                "HERMES_CONFIG",
                "HERMES_ENV",
                "HERMES_DELEGATED_CHILD_CONTEXT"
            })
    void harmlessNamesAreKept(String name) {
        assertThat(ChildEnvironment.defaults().of(Map.of(name, "value"))).containsEntry(name, "value");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // secrets, even behind a safe prefix and in small letters
                "OPENAI_API_KEY",
                "XDG_KEYRING",
                "CONDA_TOKEN",
                "HOME_SECRET",
                "USER_PASSWORD",
                "TMP_CREDENTIAL",
                "PATH_PASSWD",
                "XDG_AUTH",
                "LC_DSN",
                "TERM_WEBHOOK",
                "SHELL_CREDS",
                "TEMP_BEARER",
                "LANG_APIKEY",
                "XDG_token",
                "SSH_AUTH_SOCK",
                // unknown
                "AWS_REGION",
                "DISPLAY",
                "LD_PRELOAD",
                "PYTHONSTARTUP",
                "PYTHONHOME",
                "TZ",
                "path",
                "EDITOR",
                "",
                // ours and Hermes' own
                "HERMES_TIMEZONE",
                "HERMES_RPC_SOCKET",
                "HERMES_RPC_DIR",
                "HERMES_OTHER",
                "HERMES_HOMER",
                "TALARIA_BACKEND"
            })
    void otherNamesAreDropped(String name) {
        assertThat(ChildEnvironment.defaults().of(Map.of(name, "value"))).doesNotContainKey(name);
    }

    @Test
    void passThroughWinsOverTheSecretList() {
        ChildEnvironment environment = ChildEnvironment.defaults().plus(List.of("API_KEY"));

        assertThat(environment.of(Map.of("API_KEY", "k", "API_KEY_2", "l")))
                .containsEntry("API_KEY", "k")
                .doesNotContainKey("API_KEY_2");
    }

    @Test
    void passThroughCannotLeakWhatSudoIsTold() {
        List<String> names = List.of("SUDO_PASSWORD", "TALARIA_SUDO_PASSWORD");
        ChildEnvironment rules = ChildEnvironment.defaults().plus(names);

        assertThat(rules.of(Map.of("SUDO_PASSWORD", "s", "TALARIA_SUDO_PASSWORD", "s")))
                .doesNotContainKeys("SUDO_PASSWORD", "TALARIA_SUDO_PASSWORD");
    }

    @Test
    void passThroughCannotLeakAnOuterRun() {
        ChildEnvironment environment =
                ChildEnvironment.defaults().plus(List.of("HERMES_RPC_SOCKET", "HERMES_RPC_TOKEN", "HERMES_TIMEZONE"));

        Map<String, String> child = environment.of(
                Map.of("HERMES_RPC_SOCKET", "/outer", "HERMES_RPC_TOKEN", "t", "HERMES_TIMEZONE", "UTC"));

        assertThat(child).doesNotContainKeys("HERMES_RPC_SOCKET", "HERMES_RPC_TOKEN", "HERMES_TIMEZONE");
    }

    @Test
    void pythonVariablesAreInjectedAndReplaceTheHosts() {
        assertThat(ChildEnvironment.defaults().of(Map.of())).isEqualTo(INJECTED);
        assertThat(ChildEnvironment.defaults().plus(List.of("PYTHONUTF8")).of(Map.of("PYTHONUTF8", "0")))
                .isEqualTo(INJECTED);
    }

    @Test
    void hermesTimezoneBecomesTz() {
        Map<String, String> host = Map.of("HERMES_TIMEZONE", " Europe/Athens ");

        assertThat(ChildEnvironment.defaults().of(host))
                .containsEntry("TZ", "Europe/Athens")
                .doesNotContainKey("HERMES_TIMEZONE");
        assertThat(ChildEnvironment.defaults().withTimezone("UTC").of(host)).containsEntry("TZ", "UTC");
        assertThat(ChildEnvironment.defaults().of(Map.of("HERMES_TIMEZONE", " ")))
                .doesNotContainKey("TZ");
    }

    @Test
    void homeIsReplaced() {
        assertThat(ChildEnvironment.defaults().withHome("/srv/home").of(Map.of("HOME", "/root")))
                .containsEntry("HOME", "/srv/home");
    }

    @Test
    void namesWithValuesAreRefused() {
        assertThatThrownBy(() -> new ChildEnvironment(List.of("A=b"), Optional.empty(), Optional.empty()))
                .hasMessageContaining("without values");
    }

    @Test
    void commandsSeeAllOfTheHostButSecrets() {
        ChildEnvironment environment = ChildEnvironment.defaults().plus(List.of("API_KEY", "HERMES_RPC_TOKEN"));

        assertThat(environment
                        .ofCommands(Map.of(
                                "MY_PROJECT", "x",
                                "SSH_AUTH_SOCK", "/run/agent",
                                "API_KEY", "let through",
                                "OTHER_API_KEY", "secret",
                                "DB_PASS", "secret",
                                "ANTHROPIC_BASE_URL", "http://x",
                                "BASH_ENV", "/tmp/x",
                                "BASH_FUNC_x%%", "() { :; }",
                                "HERMES_RPC_TOKEN", "outer",
                                "HERMES_TIMEZONE", "UTC"))
                        .keySet())
                .containsExactlyInAnyOrder("MY_PROJECT", "SSH_AUTH_SOCK", "API_KEY", "TZ");
    }

    @Test
    void commandsElsewhereSeeWhatIsLetThrough() {
        ChildEnvironment environment = ChildEnvironment.defaults().plus(List.of("API_KEY", "ABSENT"));

        assertThat(environment.ofCommandsElsewhere(Map.of("API_KEY", "k", "MY_PROJECT", "x", "HOME", "/root")))
                .isEqualTo(Map.of("API_KEY", "k"));
    }
}
