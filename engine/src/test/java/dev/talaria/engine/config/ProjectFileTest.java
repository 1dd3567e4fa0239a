package dev.talaria.engine.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A project's `talaria.yaml` can be edited by the agent: it may narrow, and nothing else.
final class ProjectFileTest {
    @TempDir
    Path temp;

    private Folders folders;
    private Path project;

    @BeforeEach
    void folders() throws IOException {
        folders = Folders.below(temp.resolve("talaria"));
        Folders.create(folders.config());
        project = Files.createDirectory(temp.resolve("project"));
    }

    @ParameterizedTest
    @CsvSource({
        "script.timeout, 1m, 1m",
        "script.timeout-ceiling, 10m, 10m",
        "script.tool-calls, 49, 49",
        "script.tool-calls-ceiling, 60, 60",
        "script.stdout-bytes, 1KiB, 1KiB",
        "script.stderr-bytes, 100, 100",
        "script.memory-bytes, 1GiB, 1GiB",
        "script.processes, 10, 10",
        "output.result-chars, 2000, 2000",
        "output.spill-bytes, 1MiB, 1MiB",
        "rpc.max-line-bytes, 1MiB, 1MiB",
        "script.mode, strict, strict",
        "script.python, .venv/bin/python, .venv/bin/python",
        "tools, '[read_file]', '[read_file]'",
        "tools, '[]', '[]'"
    })
    void narrowerValuesCount(String key, String written, String shown) throws IOException {
        project(key + ": " + written + "\n");

        LoadedConfig loaded = load();

        assertThat(loaded.problems()).isEmpty();
        assertThat(loaded.values())
                .contains(new ConfigValue(key, shown, new Origin.ProjectFile(project.resolve("talaria.yaml"), 1)));
    }

    @ParameterizedTest
    @CsvSource({
        "script.timeout, 301s, 'script: {timeout: 301s}'",
        "script.timeout, unlimited, 'script: {timeout: unlimited}'",
        "script.timeout-ceiling, 2h, 'script: {timeout-ceiling: 2h}'",
        "script.tool-calls, 51, 'script: {tool-calls: 51}'",
        "script.tool-calls-ceiling, 1001, 'script: {tool-calls-ceiling: 1001}'",
        "script.stdout-bytes, 50001, 'script: {stdout-bytes: 50001}'",
        "script.stderr-bytes, 10001, 'script: {stderr-bytes: 10001}'",
        "output.result-chars, 100001, 'output: {result-chars: 100001}'",
        "output.spill-bytes, 65MiB, 'output: {spill-bytes: 65MiB}'",
        "rpc.max-line-bytes, 17MiB, 'rpc: {max-line-bytes: 17MiB}'"
    })
    void widerValuesAreRefusedWithTheLineForTheUserFile(String key, String written, String line) throws IOException {
        project(key + ": " + written + "\n");

        LoadedConfig loaded = load();

        assertThat(loaded.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.origin()).isEqualTo(new Origin.ProjectFile(project.resolve("talaria.yaml"), 1));
            assertThat(problem.key()).contains(key);
            assertThat(problem.fix()).endsWith(folders.configFile() + ": " + line);
        });
        assertThat(loaded.settings()).isEqualTo(Settings.defaults(folders));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "backend: docker | backend: docker",
                "backends: {ssh: {host: box}} | backends: {ssh: {host: box}}",
                "backends.local.prefix: evil --now | backends: {local: {prefix: \"evil --now\"}}",
                "cwd: / | cwd: /",
                "transport: file | transport: file",
                "environment: {pass-through: [GH_TOKEN, A]} | environment: {pass-through: [GH_TOKEN, A]}",
                "environment: {timezone: UTC} | environment: {timezone: UTC}",
                "environment: {home: /tmp} | environment: {home: /tmp}",
                "output: {redact: false} | output: {redact: false}",
                "output: {spill-total: 1} | output: {spill-total: 1}",
                "output: {spill-keep: 1s} | output: {spill-keep: 1s}",
                "rpc: {compatible: true} | rpc: {compatible: true}",
                "approvals: {mode: allow} | approvals: {mode: allow}",
                "approvals: {timeout: 1s} | approvals: {timeout: 1s}",
                "approvals: {deny: [x]} | approvals: {deny: [x]}",
                "approvals: {allow: [x]} | approvals: {allow: [x]}"
            })
    void otherKeysAreRefusedWithTheLineForTheUserFile(String yaml, String line) throws IOException {
        project(yaml + "\n");

        LoadedConfig loaded = load();

        assertThat(loaded.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.text())
                        .contains("the agent can edit it")
                        .endsWith(folders.configFile() + ": " + line));
        assertThat(loaded.settings()).isEqualTo(Settings.defaults(folders));
    }

    @ParameterizedTest
    @ValueSource(strings = {"approvals: {yolo: true}", "mounts: [/]", "servers: {a: b}", "unsafe: true"})
    void keysThatDoNotExistAreRefused(String yaml) throws IOException {
        project(yaml + "\n");

        assertThat(load().problems()).hasSize(1);
        assertThat(load().settings()).isEqualTo(Settings.defaults(folders));
    }

    @Test
    void toolsCanOnlyBeTakenAway() throws IOException {
        Files.writeString(folders.configFile(), "tools: [read_file, write_file]\n");
        project("tools: [read_file, terminal]\n");

        LoadedConfig loaded = load();

        assertThat(loaded.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.text())
                        .contains("[read_file, write_file]")
                        .endsWith("tools: [read_file, terminal]"));
        assertThat(loaded.settings().tools()).contains(List.of("read_file"));
    }

    @Test
    void allToolsAreMoreThanSome() throws IOException {
        Files.writeString(folders.configFile(), "tools: [read_file]\n");
        project("tools: all\n");

        assertThat(load().problems()).hasSize(1);
        assertThat(load().settings().tools()).contains(List.of("read_file"));
    }

    @Test
    void anUnlimitedValueIsMoreThanALimit() throws IOException {
        Files.writeString(folders.configFile(), "script: {memory-bytes: 1GiB, processes: 5}\n");
        project("script: {memory-bytes: unlimited, processes: unlimited}\n");

        assertThat(load().problems()).hasSize(2);
        assertThat(load().settings().script().memoryBytes()).contains(1L << 30);
        assertThat(load().settings().script().processes()).contains(5);
    }

    @Test
    void theEnvironmentIsNarrowedToo() throws IOException {
        project("script: {timeout: 1m, tool-calls: 20}\n");

        LoadedConfig loaded = ConfigLoader.load(
                Map.of("TALARIA_SCRIPT_TIMEOUT", "2m", "TALARIA_SCRIPT_TOOL_CALLS", "10"), project, folders, Map.of());

        assertThat(loaded.problems()).hasSize(1);
        assertThat(loaded.settings().script().timeout().standard()).isEqualTo(Duration.ofMinutes(1));
        assertThat(loaded.settings().script().toolCalls().standard()).isEqualTo(10);
    }

    @Test
    void aLowerCeilingLowersTheUsersLimit() throws IOException {
        Files.writeString(folders.configFile(), "script: {timeout: 2m}\n");
        project("script: {timeout-ceiling: 1m}\n");

        assertThat(load().problems()).isEmpty();
        assertThat(load().settings().script().timeout().standard()).isEqualTo(Duration.ofMinutes(1));
        assertThat(load().settings().script().timeout().allowed(Duration.ofHours(1)))
                .isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void theCommandLineHasTheLastWordButNotOverACeiling() throws IOException {
        project("script: {timeout: 1m, timeout-ceiling: 2m}\n");

        LoadedConfig allowed = ConfigLoader.load(Map.of(), project, folders, Map.of("script.timeout", "90s"));
        LoadedConfig refused = ConfigLoader.load(Map.of(), project, folders, Map.of("script.timeout", "5m"));

        assertThat(allowed.problems()).isEmpty();
        assertThat(allowed.settings().script().timeout().standard()).isEqualTo(Duration.ofSeconds(90));
        assertThat(refused.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.text())
                        .startsWith("command line: script.timeout: 5m is above")
                        .endsWith("raise the ceiling there."));
    }

    @Test
    void aPasswordIsRefusedAndNotRepeated() throws IOException {
        project("sudo: {password: open sesame}\n");

        LoadedConfig loaded = load();

        assertThat(loaded.settings().sudo().password()).isEmpty();
        assertThat(loaded.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.text())
                        .contains("sudo.password: a project file cannot set this")
                        .doesNotContain("sesame"));
    }

    @Test
    void anInterpreterIsForSandboxesOnly() throws IOException {
        Files.writeString(folders.configFile(), "script: {python: /usr/bin/python3}\n");
        project("script: {python: /project/evil}\n");

        LoadedConfig loaded = load(false);

        assertThat(load(true).warnings()).isEmpty();
        assertThat(loaded.settings().script().python()).contains("/usr/bin/python3");
        assertThat(loaded.settings().script().pythonInside()).contains("/project/evil");
        assertThat(loaded.warnings())
                .singleElement()
                .asString()
                .contains("on local it does not count", "script: {python: /project/evil}");
        assertThat(loaded.problems()).isEmpty();
    }

    @Test
    void anInterpreterOfTheCommandLineCountsEverywhere() throws IOException {
        project("script: {python: /project/evil}\n");

        LoadedConfig loaded = ConfigLoader.load(Map.of(), project, folders, Map.of("script.python", "python3.12"));

        assertThat(loaded.settings().script().python()).contains("python3.12");
        assertThat(loaded.settings().script().pythonInside()).isEmpty();
        assertThat(loaded.warnings()).isEmpty();
    }

    @Test
    void theModeIsOnlyNarrowed() throws IOException {
        Files.writeString(folders.configFile(), "script: {mode: strict}\n");
        project("script: {mode: project}\n");

        assertThat(load().settings().script().mode()).isEqualTo(ScriptMode.STRICT);
        assertThat(load().problems()).singleElement().asString().contains("can only narrow strict");
    }

    @Test
    void itsProblemsAreToldFromTheUsers() throws IOException {
        Files.writeString(folders.configFile(), "script: {timeout: never}\n");
        project("script: {timeout: [\n");

        assertThat(load().ofUser()).singleElement().asString().contains("never");
        assertThat(load().ofProject()).hasSize(1);
    }

    @Test
    void aLinkIsNotRead() throws IOException {
        Path secret = Files.writeString(temp.resolve("secret"), "hunter2: 1\n");
        Files.createSymbolicLink(project.resolve("talaria.yaml"), secret);

        assertThat(load().ofProject())
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem.text()).contains("it is a link").doesNotContain("hunter2"));
    }

    @Test
    void anInvalidModeKeepsTheUsers() throws IOException {
        Files.writeString(folders.configFile(), "script: {mode: strict}\n");
        project("script: {mode: anything}\n");

        assertThat(load().settings().script().mode()).isEqualTo(ScriptMode.STRICT);
        assertThat(load().warnings()).hasSize(1);
    }

    @Test
    void messagesCarryNoControlCharacters() throws IOException {
        project("cwd: \"\\e]0;owned\\a\\u202e\\n\"\n\"\\e[31m\": 1\n");

        assertThat(load().problems())
                .hasSize(2)
                .allSatisfy(problem -> assertThat(problem.text()).doesNotContainPattern("[\\p{Cntrl}\u202e]"));
    }

    private void project(String yaml) throws IOException {
        Files.writeString(project.resolve("talaria.yaml"), yaml);
    }

    private LoadedConfig load(boolean isolates) {
        return ConfigLoader.load(
                Map.of(), project, folders, Map.of(), name -> Optional.of(new DeclaredBackend(name, isolates, false)));
    }

    private LoadedConfig load() {
        return ConfigLoader.load(Map.of(), project, folders, Map.of());
    }
}
