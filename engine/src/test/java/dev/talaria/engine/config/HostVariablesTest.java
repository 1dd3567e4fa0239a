package dev.talaria.engine.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HostVariablesTest {
    @TempDir
    Path temp;

    @ParameterizedTest
    @CsvSource({
        "local, local",
        "docker, docker",
        "ssh, ssh",
        "singularity, apptainer",
        "modal, modal",
        "daytona, daytona",
        "vercel_sandbox, vercel"
    })
    void hermesBackendsAreUnderstood(String hermes, String backend) {
        assertThat(load(Map.of("TERMINAL_ENV", hermes)).settings().backend()).isEqualTo(backend);
    }

    @Test
    void sshVariablesBecomeOptions() {
        LoadedConfig loaded = load(Map.of(
                "TERMINAL_ENV", "ssh",
                "TERMINAL_SSH_HOST", "box",
                "TERMINAL_SSH_USER", "me",
                "TERMINAL_SSH_PORT", "2222",
                "TERMINAL_SSH_KEY", "~/.ssh/id"));

        assertThat(loaded.problems()).isEmpty();
        assertThat(loaded.warnings()).isEmpty();
        assertThat(loaded.settings().backendOptions())
                .isEqualTo(Map.of("host", "box", "user", "me", "port", "2222", "key", "~/.ssh/id"));
        assertThat(loaded.values())
                .contains(new ConfigValue("backends.ssh.host", "box", new Origin.Variable("TERMINAL_SSH_HOST")));
    }

    @Test
    void optionsOfAnotherBackendStayOut() {
        assertThat(load(Map.of("TERMINAL_SSH_HOST", "box")).settings().backendOptions())
                .isEmpty();
    }

    @Test
    void ourVariablesWinOverHermes() {
        LoadedConfig loaded = load(Map.of(
                "TERMINAL_ENV", "ssh",
                "TALARIA_BACKEND", "docker",
                "TALARIA_BACKENDS_DOCKER_SHM_SIZE", "1g",
                "HERMES_TIMEZONE", "UTC",
                "TALARIA_ENVIRONMENT_TIMEZONE", "Europe/Athens"));

        assertThat(loaded.settings().backend()).isEqualTo("docker");
        assertThat(loaded.settings().backendOptions()).isEqualTo(Map.of("shm-size", "1g"));
        assertThat(loaded.settings().environment().timezone()).contains("Europe/Athens");
    }

    @Test
    void hermesTimezoneAndRedactionAreUnderstood() {
        assertThat(load(Map.of("HERMES_TIMEZONE", "UTC"))
                        .settings()
                        .environment()
                        .timezone())
                .contains("UTC");
        assertThat(load(Map.of("HERMES_REDACT_SECRETS", "off"))
                        .settings()
                        .output()
                        .redact())
                .isFalse();
        assertThat(load(Map.of("HERMES_REDACT_SECRETS", "1"))
                        .settings()
                        .output()
                        .redact())
                .isTrue();
    }

    @Test
    void anUnclearRedactionSwitchLeavesItOn() {
        LoadedConfig loaded = load(Map.of("HERMES_REDACT_SECRETS", "perhaps"));

        assertThat(loaded.settings().output().redact()).isTrue();
        assertThat(loaded.warnings()).singleElement().asString().contains("HERMES_REDACT_SECRETS");
    }

    @Test
    void hermesTimesOfCommandsAreUnderstood() {
        LoadedConfig both = load(Map.of("TERMINAL_TIMEOUT", "60", "TERMINAL_MAX_FOREGROUND_TIMEOUT", "90"));
        assertThat(both.warnings()).isEmpty();
        assertThat(both.settings().terminal().timeout())
                .isEqualTo(new Limit<>(Duration.ofSeconds(60), Duration.ofSeconds(90)));

        LoadedConfig longer = load(Map.of("TERMINAL_TIMEOUT", "900"));
        assertThat(longer.problems()).isEmpty();
        assertThat(longer.settings().terminal().timeout())
                .isEqualTo(new Limit<>(Duration.ofMinutes(15), Duration.ofMinutes(15)));
    }

    @Test
    void aMalformedTimeOfHermesIsNamedAndDoesNotCount() {
        LoadedConfig loaded = load(Map.of("TERMINAL_TIMEOUT", "soon", "TERMINAL_MAX_FOREGROUND_TIMEOUT", "0"));

        assertThat(loaded.problems()).isEmpty();
        assertThat(loaded.warnings())
                .anySatisfy(one -> assertThat(one).contains("$TERMINAL_TIMEOUT"))
                .anySatisfy(one -> assertThat(one).contains("$TERMINAL_MAX_FOREGROUND_TIMEOUT"));
        assertThat(loaded.settings().terminal()).isEqualTo(TerminalSettings.defaults());
    }

    @ParameterizedTest
    @CsvSource({"60, PT1M", "0, PT876000H", "soon, PT5M"})
    void hermesLifetimeOfSandboxesIsUnderstood(String text, Duration idle) {
        LoadedConfig loaded = load(Map.of("TERMINAL_LIFETIME_SECONDS", text));

        assertThat(loaded.settings().sandbox().idle()).isEqualTo(idle);
        assertThat(loaded.warnings()).hasSize(text.equals("soon") ? 1 : 0);
    }

    @Test
    void variablesWithoutEffectAreNamed() {
        assertThat(load(Map.of("TERMINAL_DEGRADED_MODE", "warn", "TERMINAL_DOCKER_SNAP_COMPAT", "1"))
                        .warnings())
                .singleElement()
                .asString()
                .contains("$TERMINAL_DEGRADED_MODE");
        assertThat(load(Map.of("TERMINAL_ENV", "docker", "TERMINAL_DOCKER_SNAP_COMPAT", "1"))
                        .warnings())
                .singleElement()
                .asString()
                .contains("$TERMINAL_DOCKER_SNAP_COMPAT");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "TERMINAL_DOCKER_IMAGE | debian:12 | image | debian:12",
                "TERMINAL_DOCKER_VOLUMES | [\"/a:/b\"] | volumes | [\"/a:/b\"]",
                "TERMINAL_DOCKER_ENV | {\"A\":\"b\"} | env | {\"A\":\"b\"}",
                "TERMINAL_DOCKER_FORWARD_ENV | [\"A\"] | forward-env | [\"A\"]",
                "TERMINAL_DOCKER_EXTRA_ARGS | [\"--dns=1.1.1.1\"] | extra-args | [\"--dns=1.1.1.1\"]",
                "TERMINAL_DOCKER_SHM_SIZE | 2g | shm-size | 2g",
                "TERMINAL_DOCKER_NETWORK | true | network | true",
                "TERMINAL_DOCKER_RUN_AS_HOST_USER | false | user | root",
                "TERMINAL_DOCKER_RUN_AS_HOST_USER | true | user | host",
                "TERMINAL_DOCKER_MOUNT_CWD_TO_WORKSPACE | true | mount-cwd | true",
                "TERMINAL_CONTAINER_CPU | 2 | cpus | 2",
                "TERMINAL_CONTAINER_MEMORY | 5120 | memory | 5120m",
                "TERMINAL_CONTAINER_DISK | 51200 | disk | 51200m",
                "TERMINAL_CONTAINER_PERSISTENT | true | persistent | true",
                "TERMINAL_SANDBOX_DIR | /data | sandbox-dir | /data",
            })
    void hermesOptionsOfContainersAreUnderstood(String variable, String text, String option, String value) {
        for (String backend : new String[] {"docker", "podman"}) {
            LoadedConfig loaded = load(Map.of("TERMINAL_ENV", backend, variable, text));

            assertThat(loaded.warnings()).isEmpty();
            assertThat(loaded.settings().backendOptions()).isEqualTo(Map.of(option, value));
        }
    }

    @Test
    void foreignAndEmptyVariablesAreLeftAlone() {
        LoadedConfig loaded = load(
                Map.of("TERMINAL_EMULATOR", "x", "TERMINAL_ENV", "", "TERMINAL_SSH_HOST", " ", "TALARIA_BACKEND", ""));

        assertThat(loaded.warnings()).isEmpty();
        assertThat(loaded.settings()).isEqualTo(Settings.defaults(Folders.below(temp)));
    }

    @ParameterizedTest
    @CsvSource({
        "TALARIA_TIMEOUT, TALARIA_SCRIPT_TIMEOUT",
        "TALARIA_SCRIPT_TIMOUT, TALARIA_SCRIPT_TIMEOUT",
        "TALARIA_BAKEND, TALARIA_BACKEND"
    })
    void misspelledVariablesGetASuggestion(String wrong, String right) {
        assertThat(load(Map.of(wrong, "5")).warnings())
                .singleElement()
                .asString()
                .endsWith("Did you mean " + right + "?");
    }

    @Test
    void aBadValueNamesItsVariable() {
        assertThat(load(Map.of("TERMINAL_ENV", "My Box")).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.text()).startsWith("$TERMINAL_ENV: backend: 'My Box'"));
    }

    private LoadedConfig load(Map<String, String> environment) {
        return ConfigLoader.load(environment, temp, Folders.below(temp), Map.of());
    }
}
