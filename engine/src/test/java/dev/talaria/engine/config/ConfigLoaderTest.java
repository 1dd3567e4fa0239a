package dev.talaria.engine.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class ConfigLoaderTest {
    @TempDir
    Path temp;

    private Folders folders;

    @BeforeEach
    void folders() throws IOException {
        folders = Folders.below(temp.resolve("talaria"));
        Folders.create(folders.config());
    }

    /// Each key, with a value other than its default: as it is written and as it is shown.
    static List<List<String>> everyKey() {
        return List.of(
                List.of("backend", "docker", "docker"),
                List.of("cwd", "/work space", "\"/work space\""),
                List.of("tools", "read_file, terminal", "[read_file, terminal]"),
                List.of("transport", "file", "file"),
                List.of("script.mode", "strict", "strict"),
                List.of("script.python", "/opt/py/bin/python3", "/opt/py/bin/python3"),
                List.of("script.timeout", "90", "90s"),
                List.of("script.timeout-ceiling", "10m", "10m"),
                List.of("script.tool-calls", "7", "7"),
                List.of("script.tool-calls-ceiling", "unlimited", "unlimited"),
                List.of("script.stdout-bytes", "64KiB", "64KiB"),
                List.of("script.stderr-bytes", "20000", "20000"),
                List.of("script.memory-bytes", "2GiB", "2GiB"),
                List.of("script.processes", "100", "100"),
                List.of("terminal.timeout", "30", "30s"),
                List.of("terminal.foreground-ceiling", "20m", "20m"),
                List.of("terminal.promote", "off", "false"),
                List.of("terminal.notices", "failures", "failures"),
                List.of("terminal.notices-pushed", "12", "12"),
                List.of("environment.pass-through", "GH_TOKEN", "[GH_TOKEN]"),
                List.of("environment.timezone", "Europe/Athens", "Europe/Athens"),
                List.of("environment.home", "/srv/home", "/srv/home"),
                List.of("output.redact", "no", "false"),
                List.of("output.result-chars", "5000", "5000"),
                List.of("output.spill-bytes", "1MB", "1000000"),
                List.of("output.spill-total", "1.5GiB", "1536MiB"),
                List.of("output.spill-keep", "36h", "36h"),
                List.of("rpc.max-line-bytes", "1MiB", "1MiB"),
                List.of("rpc.compatible", "true", "true"),
                List.of("approvals.mode", "off", "allow"),
                List.of("approvals.timeout", "30", "30s"),
                List.of("approvals.pending", "2h", "2h"),
                List.of("approvals.deny", "terraform destroy", "[\"terraform destroy\"]"),
                List.of("approvals.allow", "git push( .*)?", "[\"git push( .*)?\"]"),
                List.of("sudo.password", "open-sesame", "(hidden)"),
                List.of("sudo.prompt-timeout", "30", "30s"),
                List.of("sandbox.scope", "shared", "shared"),
                List.of("sandbox.own-folder", "yes", "true"),
                List.of("sandbox.idle", "0", "never"),
                List.of("sandbox.warm", "3", "3"),
                List.of("sandbox.shared-key", "team", "team"),
                List.of("sync.folder", "/from", "/from"),
                List.of("sync.remote", "/to", "/to"),
                List.of("sync.back", "/back", "/back"),
                List.of("sync.exclude", ".git, a/b", "[.git, a/b]"),
                List.of("sync.back-bytes", "16MiB", "16MiB"));
    }

    @Test
    void nothingConfiguredMeansDefaults() {
        LoadedConfig loaded = load(Map.of(), Map.of());

        assertThat(loaded.settings()).isEqualTo(Settings.defaults(folders));
        assertThat(loaded.problems()).isEmpty();
        assertThat(loaded.warnings()).isEmpty();
        assertThat(loaded.values())
                .hasSize(ConfigKeys.all().size())
                .allMatch(value -> value.origin() instanceof Origin.Default);
    }

    @Test
    void everyKeyIsTestedAndDocumented() {
        assertThat(everyKey().stream().map(List::getFirst))
                .containsExactlyElementsOf(
                        ConfigKeys.all().stream().<String>map(ConfigKey::name).toList());
        assertThat(ConfigKeys.all()).allSatisfy(key -> {
            assertThat(key.name()).matches("[a-z]+(-[a-z]+)*(\\.[a-z]+(-[a-z]+)*)?");
            assertThat(key.sentence()).endsWith(".").matches("[A-Z].*");
            assertThat(key.form()).isNotBlank();
            assertThat(key.standardText()).isNotBlank();
        });
    }

    @ParameterizedTest
    @MethodSource("everyKey")
    void everyKeyComesFromTheUserFile(List<String> row) throws IOException {
        user("# first line\n" + row.get(0) + ": " + row.get(1).replaceAll("(.*,.*)", "[$1]") + "\n");

        LoadedConfig loaded = load(Map.of(), Map.of());

        assertThat(loaded.problems().stream().map(ConfigProblem::text)).isEmpty();
        assertThat(value(loaded, row.get(0)))
                .isEqualTo(new ConfigValue(row.get(0), row.get(2), new Origin.UserFile(folders.configFile(), 2)));
        assertThat(loaded.settings()).isNotEqualTo(Settings.defaults(folders));
    }

    @ParameterizedTest
    @MethodSource("everyKey")
    void everyKeyComesFromTheEnvironmentOverTheUserFile(List<String> row) throws IOException {
        ConfigKey<?> key = ConfigKeys.find(row.get(0)).orElseThrow();
        user(key.name() + ": " + (key.standardText().equals("none") ? "other" : key.standardText()) + "\n");

        LoadedConfig loaded = load(Map.of(key.variable(), row.get(1)), Map.of());

        assertThat(loaded.problems().stream().map(ConfigProblem::text)).isEmpty();
        assertThat(value(loaded, row.get(0)))
                .isEqualTo(new ConfigValue(row.get(0), row.get(2), new Origin.Variable(key.variable())));
    }

    @ParameterizedTest
    @MethodSource("everyKey")
    void everyKeyComesFromTheCommandLineOverTheEnvironment(List<String> row) {
        ConfigKey<?> key = ConfigKeys.find(row.get(0)).orElseThrow();
        String other = key.standardText().equals("none") ? "other" : key.standardText();

        LoadedConfig loaded =
                load(Map.of(key.variable(), other.equals("[]") ? "" : other), Map.of(row.get(0), row.get(1)));

        assertThat(loaded.problems().stream().map(ConfigProblem::text)).isEmpty();
        assertThat(value(loaded, row.get(0)))
                .isEqualTo(new ConfigValue(row.get(0), row.get(2), new Origin.CommandLine()));
    }

    @Test
    void everyValueReachesTheSettings() throws IOException {
        user("""
                backend: ssh
                backends:
                  ssh: {host: box, port: 2222}
                  docker:
                    container: other
                cwd: /work
                tools: [read_file]
                transport: stream
                script:
                  mode: strict
                  python: python3.12
                  timeout: 1m
                  timeout-ceiling: 2m
                  tool-calls: 3
                  tool-calls-ceiling: 4
                  stdout-bytes: 5KiB
                  stderr-bytes: 6KiB
                  memory-bytes: 7GiB
                  processes: 8
                terminal:
                  timeout: 20s
                  foreground-ceiling: 21s
                  promote: false
                  notices: off
                  notices-pushed: 22
                environment:
                  pass-through: [A, B]
                  timezone: UTC
                  home: /h
                output:
                  redact: false
                  result-chars: 9000
                  spill-bytes: 10MiB
                  spill-total: 11MiB
                  spill-keep: 12d
                rpc:
                  max-line-bytes: 13MiB
                  compatible: true
                approvals:
                  mode: ask
                  timeout: 14s
                  pending: 18s
                  deny: a{1,2}b
                  allow: ["git push( .*)?"]
                sudo:
                  password: "open sesame "
                  prompt-timeout: 15s
                sandbox:
                  scope: shared
                  own-folder: true
                  idle: 16s
                  warm: 17
                  shared-key: team
                sync:
                  folder: /from
                  remote: /to
                  back: /back
                  exclude: [.git, a/b]
                  back-bytes: 16MiB
                """);

        assertThat(load(Map.of(), Map.of()).settings())
                .isEqualTo(new Settings(
                        "ssh",
                        Map.of("host", "box", "port", "2222"),
                        Transport.STREAM,
                        Optional.of(List.of("read_file")),
                        new ScriptSettings(
                                ScriptMode.STRICT,
                                Optional.of("python3.12"),
                                Optional.empty(),
                                new Limit<>(Duration.ofMinutes(1), Duration.ofMinutes(2)),
                                new Limit<>(3, 4),
                                5 << 10,
                                6 << 10,
                                Optional.of(7L << 30),
                                Optional.of(8)),
                        new TerminalSettings(
                                new Limit<>(Duration.ofSeconds(20), Duration.ofSeconds(21)),
                                false,
                                new NoticeSettings(NoticePolicy.OFF, 22)),
                        new ChildEnvironment(List.of("A", "B"), Optional.of("UTC"), Optional.of("/h")),
                        new OutputSettings(false, 9000, 10 << 20, 11 << 20, Duration.ofDays(12)),
                        new RpcSettings(13 << 20, true),
                        new ApprovalSettings(
                                ApprovalMode.ASK,
                                Duration.ofSeconds(14),
                                Duration.ofSeconds(18),
                                List.of("a{1,2}b"),
                                List.of("git push( .*)?")),
                        new SudoSettings(Optional.of("open sesame "), Duration.ofSeconds(15)),
                        new SandboxSettings(SandboxScope.SHARED, true, Duration.ofSeconds(16), 17, Optional.of("team")),
                        new SyncSettings(
                                Optional.of("/from"),
                                Optional.of("/to"),
                                Optional.of("/back"),
                                List.of(".git", "a/b"),
                                16 << 20),
                        folders,
                        Optional.of("/work")));
    }

    @Test
    void aPasswordIsReadFromHermesVariableOrOursAndShownToNobody() {
        LoadedConfig hermes = load(Map.of("SUDO_PASSWORD", " open sesame"), Map.of());
        assertThat(hermes.settings().sudo().password()).contains(" open sesame");
        LoadedConfig ours = load(Map.of("SUDO_PASSWORD", "other", "TALARIA_SUDO_PASSWORD", "open sesame"), Map.of());
        assertThat(ours.settings().sudo().password()).contains("open sesame");
        assertThat(load(Map.of("SUDO_PASSWORD", ""), Map.of()).settings().sudo().password())
                .isEmpty();

        assertThat(ours.values())
                .contains(new ConfigValue("sudo.password", "(hidden)", new Origin.Variable("TALARIA_SUDO_PASSWORD")));
        assertThat(ours.toString()).doesNotContain("open sesame");
    }

    @Test
    void aFileWithAPasswordThatOthersCanReadIsWarnedAbout() throws IOException {
        user("sudo: {password: open sesame}\n");
        Files.setPosixFilePermissions(folders.configFile(), PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(load(Map.of(), Map.of()).warnings()).anyMatch(warning -> warning.contains("chmod 600"));
        Files.setPosixFilePermissions(folders.configFile(), PosixFilePermissions.fromString("rw-------"));
        assertThat(load(Map.of(), Map.of()).warnings()).isEmpty();
    }

    @Test
    void aPatternThatDoesNotCompileIsAProblemWithLineAndFix() throws IOException {
        user("""
                approvals:
                  deny: ["terraform destroy", "a(?=b)"]
                  allow: "["
                  mode: sometimes
                """);

        LoadedConfig loaded = load(Map.of(), Map.of());

        String file = folders.configFile().toString();
        assertThat(loaded.problems().stream().map(ConfigProblem::text))
                .satisfiesExactly(
                        deny -> assertThat(deny)
                                .startsWith(file + ":2: approvals.deny: the pattern 'a(?=b)' does not compile: ")
                                .contains("RE2"),
                        allow -> assertThat(allow).startsWith(file + ":3: approvals.allow: the pattern '['"),
                        mode -> assertThat(mode).contains("approvals.mode").contains("manual, ask, allow, deny"));
        assertThat(loaded.settings()).isEqualTo(Settings.defaults(folders));
    }

    @Test
    void problemsAreReportedTogetherWithLineAndFix() throws IOException {
        user("""
                backend: Not A Name
                script:
                  timeout: soon
                  timout: 5
                  tool-calls: [1]
                output: 5
                """);

        List<ConfigProblem> problems = load(Map.of("TALARIA_RPC_COMPATIBLE", "maybe"), Map.of("no", "1"))
                .problems();

        String file = folders.configFile().toString();
        assertThat(problems.stream().map(ConfigProblem::text))
                .containsExactlyInAnyOrder(
                        file
                                + ":1: backend: 'Not A Name' is not allowed here. Use the name of a backend, such as local.",
                        file + ":3: script.timeout: 'soon' is not allowed here."
                                + " Use a time such as 90s, 5m or 2h, or unlimited.",
                        file + ":4: script.timout: there is no such key. Did you mean 'script.timeout'?",
                        file + ":5: script.tool-calls: a list stands where one value is needed."
                                + " Use a number, or unlimited.",
                        file + ":6: output: it is a group of keys and has no value of its own. Write below it,"
                                + " indented, any of: redact, result-chars, spill-bytes, spill-total, spill-keep.",
                        "$TALARIA_RPC_COMPATIBLE: rpc.compatible: 'maybe' is not allowed here. Use true or false.",
                        "command line: no: there is no such key. Remove it; 'talaria config' lists all keys.");
    }

    @ParameterizedTest
    @CsvSource({
        "timeout, script.timeout",
        "script.time_out, script.timeout",
        "max_line_bytes, rpc.max-line-bytes",
        "Backend, backend",
        "scripts.mode, script.mode",
        "toolcalls, script.tool-calls",
        "env.pass-trough, environment.pass-through"
    })
    void unknownKeysGetASuggestion(String wrong, String right) throws IOException {
        user(wrong + ": 1\n");

        assertThat(load(Map.of(), Map.of()).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.fix()).isEqualTo("Did you mean '" + right + "'?"));
    }

    @Test
    void anInvalidModeIsAWarning() throws IOException {
        user("script: {mode: sandboxed}\n");

        LoadedConfig loaded = load(Map.of(), Map.of());

        assertThat(loaded.problems()).isEmpty();
        assertThat(loaded.settings().script().mode()).isEqualTo(ScriptMode.PROJECT);
        assertThat(loaded.warnings())
                .singleElement()
                .asString()
                .contains("sandboxed", "Using project", "talaria.yaml:1");
    }

    @Test
    void aLimitAboveItsCeilingIsAProblem() throws IOException {
        user("script: {timeout: 2h}\n");

        LoadedConfig loaded = load(Map.of(), Map.of());

        assertThat(loaded.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.text())
                        .contains("2h is above script.timeout-ceiling, which is 1h (default)")
                        .endsWith("script: {timeout-ceiling: 2h}"));
        assertThat(loaded.settings().script().timeout().standard()).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void aLowerCeilingLowersADefault() throws IOException {
        user("script: {timeout-ceiling: 1m, tool-calls-ceiling: 10}\n");

        LoadedConfig loaded = load(Map.of(), Map.of());

        assertThat(loaded.problems()).isEmpty();
        assertThat(loaded.settings().script().timeout())
                .isEqualTo(new Limit<>(Duration.ofMinutes(1), Duration.ofMinutes(1)));
        assertThat(loaded.settings().script().toolCalls()).isEqualTo(new Limit<>(10, 10));
    }

    @Test
    void anEmptyToolListMeansNone() {
        assertThat(load(Map.of("TALARIA_TOOLS", ""), Map.of()).settings().tools())
                .contains(List.of());
        assertThat(load(Map.of("TALARIA_TOOLS", "all"), Map.of()).settings().tools())
                .isEmpty();
    }

    @Test
    void aFileThatAnybodyMayChangeIsAWarning() throws IOException {
        user("backend: local\n");
        Files.setPosixFilePermissions(folders.configFile(), PosixFilePermissions.fromString("rw-rw-rw-"));

        assertThat(load(Map.of(), Map.of()).warnings())
                .singleElement()
                .asString()
                .contains("chmod go-w");
    }

    @Test
    void theUserFileIsNoProjectFile() throws IOException {
        user("backend: docker\n");

        LoadedConfig loaded = ConfigLoader.load(Map.of(), folders.config(), folders, Map.of());

        assertThat(loaded.problems()).isEmpty();
        assertThat(loaded.settings().backend()).isEqualTo("docker");
    }

    private LoadedConfig load(Map<String, String> environment, Map<String, String> overrides) {
        return ConfigLoader.load(environment, temp, folders, overrides);
    }

    private LoadedConfig load(Map<String, String> environment, boolean shares) {
        return ConfigLoader.load(
                environment, temp, folders, Map.of(), name -> Optional.of(new DeclaredBackend(name, true, shares)));
    }

    private void user(String yaml) throws IOException {
        Files.writeString(folders.configFile(), yaml);
    }

    private static ConfigValue value(LoadedConfig loaded, String key) {
        List<ConfigValue> found = new ArrayList<>(loaded.values());
        found.removeIf(value -> !value.key().equals(key));
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    @Test
    void aSharedKeyThatDoesNotCountIsSaid() {
        Map<String, String> key = Map.of("TERMINAL_ENV", "docker", "TERMINAL_DOCKER_SHARED_CONTAINER_KEY", "team");
        Map<String, String> kept = new HashMap<>(key);
        kept.put("TERMINAL_CONTAINER_PERSISTENT", "true");

        assertThat(load(key, true).warnings()).anyMatch(text -> text.contains("backends.docker.persistent: true"));
        assertThat(load(key, false).warnings()).isEmpty();
        LoadedConfig loaded = load(kept, true);
        assertThat(loaded.warnings()).isEmpty();
        assertThat(loaded.settings().sandbox().sharedKey()).contains("team");
    }
}
