package dev.talaria.tests.sudo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.talaria.api.Cancellation;
import dev.talaria.api.Gate;
import dev.talaria.api.PasswordPrompt;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.EngineBuilder;
import dev.talaria.engine.config.ApprovalMode;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.testkit.Testbed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Commands with a real sudo, as an ordinary user with a password and the right to use sudo.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SudoTest {
    private static final String PASSWORD = Testbed.value("SUDO_PASSWORD").orElse("");
    private static final String USER = Testbed.value("SUDO_USER").orElse("");

    @TempDir
    private Path folder;

    private final List<PasswordPrompt.Request> asked = new CopyOnWriteArrayList<>();

    @BeforeEach
    void needs() throws Exception {
        assumeTrue(!USER.isEmpty() && !PASSWORD.isEmpty(), () -> Testbed.whyMissing("sudo"));
        assumeTrue("root".equals(System.getProperty("user.name")), "becoming the test user takes root");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    private Settings settings() {
        Settings settings = Settings.defaults(Folders.below(folder.resolve("home")));
        return settings.withApprovals(settings.approvals().withMode(ApprovalMode.ALLOW))
                .withCwd(folder.toString());
    }

    private EngineBuilder user(Settings settings, String behind) {
        String prefix = "setpriv --reuid " + USER + " --regid " + USER + " --init-groups " + behind
                + " env PATH=/usr/bin:/bin:/usr/sbin";
        return Engine.builder()
                .settings(settings)
                .environment(Map.of("PATH", "/usr/bin:/bin"))
                .backend("prefix", Map.of("prefix", prefix));
    }

    private Engine typing(String... answers) {
        return user(settings(), "").passwordPrompt(person(answers)).build();
    }

    private Engine configured(String password) {
        Settings settings = settings();
        return user(settings.withSudo(settings.sudo().withPassword(password)), "")
                .build();
    }

    private PasswordPrompt person(String... answers) {
        return request -> {
            asked.add(request);
            return Optional.of(answers[Math.min(asked.size(), answers.length) - 1]);
        };
    }

    private static Map<String, Object> run(Engine engine, String command) {
        return engine.call(ToolCall.of("terminal", Map.of("command", command, "trim", false)))
                .value();
    }

    @Test
    void theCommandKeepsItsInput() throws Exception {
        try (Engine engine = typing(PASSWORD)) {
            assertThat(run(engine, "echo x | sudo tee F; stat -c %U F"))
                    .containsEntry("output", "x\nroot\n")
                    .containsEntry("exit_code", 0)
                    .doesNotContainKeys("hint", "sudo_auth_failed");
            assertThat(engine.call(ToolCall.of(
                                    "terminal", Map.of("command", "sudo tee G >/dev/null", "stdin_data", "from stdin")))
                            .value())
                    .containsEntry("exit_code", 0);
        }
        assertThat(folder.resolve("G")).content().isEqualTo("from stdin");
    }

    @Test
    void twoInAPipelineAskOnce() {
        try (Engine engine = typing(PASSWORD)) {
            assertThat(run(engine, "sudo id -un | sudo sed 's/^/I am /'")).containsEntry("output", "I am root\n");
        }
        assertThat(asked).hasSize(1);
        assertThat(asked.getFirst().subject()).contains("sudo id -un");
        assertThat(asked.getFirst().again()).isFalse();
    }

    @Test
    void aRightPasswordIsAskedForOnceInASession() {
        try (Engine engine = typing(PASSWORD)) {
            assertThat(run(engine, "sudo id -u")).containsEntry("output", "0\n");
            assertThat(run(engine, "sudo -k; sudo id -u")).containsEntry("output", "0\n");
            assertThat(asked).hasSize(1);
        }
    }

    @Test
    void aWrongOneIsDroppedAndAskedForAgain() {
        try (Engine engine = typing("not this one", PASSWORD)) {
            assertThat(run(engine, "sudo id -u"))
                    .containsEntry("exit_code", 0)
                    .containsEntry("sudo_auth_failed", true)
                    .containsEntry("sudo_cache_cleared", true);
            assertThat(asked).extracting(PasswordPrompt.Request::again).containsExactly(false, true);
            assertThat(run(engine, "sudo id -u")).containsEntry("output", "0\n");
            assertThat(asked).hasSize(2);
        }
    }

    @Test
    void nobodyIsAskedWithoutEnd() {
        try (Engine engine = typing("not this one", "nor this one")) {
            Map<String, Object> result = run(engine, "sudo id -u");

            assertThat(asked).hasSize(2);
            assertThat(result).containsEntry("sudo_auth_failed", true).containsEntry("exit_code", 1);
            assertThat(text(result, "hint")).contains("wrong");
        }
    }

    @Test
    void aConfiguredPasswordIsUsedAndNobodyIsAsked() {
        Settings settings = settings();
        try (Engine engine = user(settings.withSudo(settings.sudo().withPassword(PASSWORD)), "")
                .passwordPrompt(person("never"))
                .build()) {
            assertThat(run(engine, "sudo id -u")).containsEntry("output", "0\n");
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void aWrongConfiguredPasswordIsTriedOnceOnly() {
        try (Engine engine = configured("not this one")) {
            Map<String, Object> first = run(engine, "sudo id -u");
            assertThat(first).containsEntry("sudo_auth_failed", true).containsEntry("exit_code", 1);
            assertThat(text(first, "output"))
                    .contains("1 incorrect password attempt")
                    .contains("sudo.password");
            Map<String, Object> second = run(engine, "sudo id -u");
            assertThat(text(second, "output")).contains("no password was provided");
            assertThat(text(second, "hint")).contains("sudo.password").contains("SUDO_PASSWORD");
        }
    }

    @Test
    void withoutAnyPasswordTheSettingIsNamed() {
        try (Engine engine = user(settings(), "").build()) {
            Map<String, Object> result = run(engine, "sudo id -u");

            assertThat(result).containsEntry("exit_code", 1);
            assertThat(text(result, "hint"))
                    .contains("sudo.password")
                    .contains("SUDO_PASSWORD")
                    .contains("NOPASSWD");
        }
    }

    @Test
    void aPersonWhoDeclinesOrIsAwayGivesNone() {
        try (Engine engine = typing("")) {
            assertThat(text(run(engine, "sudo id -u"), "hint")).contains("no password was given");
        }
        Settings settings = settings();
        try (Engine engine = user(settings.withSudo(settings.sudo().withTimeout(Duration.ofMillis(200))), "")
                .passwordPrompt(_ -> {
                    Thread.sleep(Duration.ofMinutes(10));
                    return Optional.empty();
                })
                .build()) {
            assertThat(text(run(engine, "sudo id -u"), "hint")).contains("within 200 ms");
        }
    }

    @Test
    void thinkingDoesNotCountAsTheCommandsTime() {
        try (Engine engine = user(settings(), "")
                .passwordPrompt(_ -> {
                    Thread.sleep(Duration.ofSeconds(4));
                    return Optional.of(PASSWORD);
                })
                .build()) {
            ToolResult result = engine.call(ToolCall.of("terminal", Map.of("command", "sudo id -u", "timeout", 3)));

            assertThat(result.value()).containsEntry("output", "0");
        }
    }

    @Test
    void aRuleWithoutAPasswordAsksNobody() {
        try (Engine engine = typing("never")) {
            assertThat(run(engine, "sudo whoami"))
                    .containsEntry("output", "root\n")
                    .doesNotContainKey("hint");
        }
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sudo -u root id -u",
                "sudo LC_ALL=C id -u",
                "env -u NOTHING sudo id -u",
                "/usr/bin/sudo id -u",
                "bash -c 'sudo id -u'",
                "echo root | xargs sudo id -u",
                "f() { sudo \"$@\"; }; f id -u",
                "timeout 20 sudo -- id -u",
                "bash <<'EOF'\nsudo id -u\nEOF",
                "exec sudo id -u",
                "sudo bash -c 'sudo id -u'"
            })
    void sudoMayBeCalledInManyWays(String command) {
        try (Engine engine = typing(PASSWORD)) {
            assertThat(run(engine, command)).containsEntry("output", "0\n").containsEntry("exit_code", 0);
        }
        assertThat(asked).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sudo -n id -u",
                "sudo -nu root id -u",
                "sudo -u root -n id -u",
                "sudo --non-interactive id -u",
                "echo wrong | sudo -S -p '' id -u",
                "echo wrong | sudo -Sk -p '' id -u",
                "echo wrong | sudo --stdin id -u",
                "SUDO_ASKPASS=/bin/false sudo -A id -u"
            })
    void whoeverSaysHowThePasswordComesIsLeftAlone(String command) {
        // The gate would refuse -S.
        try (Engine engine = user(settings(), "")
                .gate(Gate.open())
                .passwordPrompt(person(PASSWORD))
                .build()) {
            assertThat(run(engine, command)).containsEntry("exit_code", 1);
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void whatOnlySoundsLikeItIsLeftAlone() {
        try (Engine engine = typing(PASSWORD)) {
            assertThat(run(engine, "echo 'sudo x'; echo \"a; sudo y\" # sudo z"))
                    .containsEntry("output", "sudo x\na; sudo y\n");
            assertThat(text(run(engine, "visudo -V"), "output")).startsWith("visudo version");
            assertThat(run(engine, "sudo -K; sudo -k; sudo -V | head -c 4")).containsEntry("output", "Sudo");
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void theSessionKeepsNothingOfIt() {
        try (Engine engine = typing(PASSWORD)) {
            String before = text(run(engine, "echo $PATH"), "output");
            run(engine, "sudo id -u; export PATH=/opt/own:$PATH");

            assertThat(run(engine, "echo $PATH")).containsEntry("output", "/opt/own:" + before);
            assertThat(text(run(engine, "env; set"), "output")).doesNotContain("ASKPASS", PASSWORD);
        }
    }

    @Test
    void thePasswordIsNowhereToBeSeen() throws Exception {
        try (Engine engine = typing(PASSWORD)) {
            run(engine, "sudo id -u");
            Map<String, Object> result = run(
                    engine,
                    "sudo sh -c 'cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null' | tr '\\0' '\\n' | grep -v ^TALARIA_TESTBED_ | grep -c "
                            + PASSWORD.substring(0, 10) + "[" + PASSWORD.charAt(10) + "]");
            assertThat(result).containsEntry("output", "0\n");
            Map<String, Object> echoed = run(engine, "printf '%s' " + PASSWORD + "; seq 200000; echo " + PASSWORD);
            assertThat(text(echoed, "output"))
                    .doesNotContain(PASSWORD)
                    .startsWith("***1\n")
                    .contains("***");
            assertThat(Path.of(text(echoed, "full_output_path"))).content().doesNotContain(PASSWORD);
        }
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile))
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(file)
                            .content(StandardCharsets.ISO_8859_1)
                            .doesNotContain(PASSWORD));
        }
    }

    @Test
    void theHelperTellsNobodyButSudo() {
        try (Engine engine = typing(PASSWORD)) {
            run(engine, "sudo id -u");
            Map<String, Object> result =
                    run(engine, "helper=$(dirname $(dirname $(command -v sudo)))/askpass; $helper; echo $?; : sudo");

            assertThat(text(result, "output")).isEqualTo("talaria: this is for sudo alone.\n1\n");
            assertThat(asked).hasSize(1);
        }
    }

    @Test
    void anotherCommandGetsNoPassword() throws Exception {
        Path script = Files.writeString(folder.resolve("install.sh"), "sudo id -u\n");
        try (Engine engine = typing(PASSWORD)) {
            run(engine, "sudo id -u");
            Map<String, Object> result = run(engine, "sh " + script.getFileName());

            assertThat(result).containsEntry("exit_code", 1);
            assertThat(text(result, "output")).contains("a terminal is required");
        }
    }

    @Test
    void whatRunsAsRootIsEndedWithTheCommand() {
        try (Engine engine = typing(PASSWORD)) {
            ToolResult result =
                    engine.call(ToolCall.of("terminal", Map.of("command", "sudo sleep 98765", "timeout", 2)));

            assertThat(result).isInstanceOf(ToolResult.TimedOut.class);
            assertThat(result.value()).doesNotContainKey("processes_alive");
            assertThat(alive("sleep 98765")).isFalse();
            assertThat(run(engine, "sudo sleep 98764 & sleep 1")).containsKey("processes_ended");
            assertThat(alive("sleep 98764")).isFalse();
            assertThat(asked).hasSize(1);
        }
    }

    @Test
    void whatCannotBeEndedIsNamedOnce() {
        // We do not know the password, so we cannot end root's process.
        try (Engine engine = user(settings(), "").gate(Gate.open()).build()) {
            Map<String, Object> result = run(engine, "sudo -S -p '' sleep 8 <<< " + PASSWORD + " & sleep 1");

            assertThat(text(result, "processes_alive")).contains("sleep (");
            assertThat(run(engine, "true")).doesNotContainKeys("processes_alive", "processes_ended");
        }
    }

    @Test
    void inTheBackgroundItAsksTheSameWay() {
        try (Engine engine = typing(PASSWORD)) {
            for (boolean pty : new boolean[] {false, true}) {
                Map<String, Object> started = engine.call(ToolCall.of(
                                "terminal",
                                Map.of("command", "sudo id -u; echo " + PASSWORD, "background", true, "pty", pty)))
                        .value();
                Map<String, Object> ended = engine.call(ToolCall.of(
                                "process",
                                Map.of("action", "wait", "session_id", text(started, "session_id"), "timeout", 60)))
                        .value();

                assertThat(text(ended, "output").replace("\r", "")).isEqualTo("0\n***\n");
            }
        }
        assertThat(asked).hasSize(1);
    }

    @Test
    void interruptedWhileAskingItEnds() throws Exception {
        try (Engine engine = user(settings(), "")
                .passwordPrompt(request -> {
                    asked.add(request);
                    Thread.sleep(Duration.ofMinutes(10));
                    return Optional.empty();
                })
                .build()) {
            Cancellation cancellation = new Cancellation();
            Thread.ofVirtual().start(() -> {
                Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> !asked.isEmpty());
                cancellation.cancel("enough");
            });
            ToolResult result = engine.call(ToolCall.of("terminal", Map.of("command", "sudo id -u")), cancellation);

            assertThat(result).isInstanceOf(ToolResult.Cancelled.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--no-new-privs", "bwrap --dev-bind / /"})
    void withoutNewPrivilegesTheHintSaysWhy(String behind) {
        assumeTrue(
                !behind.startsWith("bwrap") || Testbed.value("BWRAP").isPresent(), () -> Testbed.whyMissing("bwrap"));
        try (Engine engine =
                user(settings(), behind).passwordPrompt(person(PASSWORD)).build()) {
            Map<String, Object> result = run(engine, "sudo id -u");

            assertThat(result).containsEntry("exit_code", 1);
            assertThat(text(result, "hint")).contains("no-new-privileges");
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void overSshItIsTheSame() {
        assumeTrue(Testbed.value("SSH_CONFIG").isPresent(), () -> Testbed.whyMissing("ssh"));
        try (Engine engine = Engine.builder()
                .settings(settings())
                .backend(
                        "ssh",
                        Map.of(
                                "config",
                                Testbed.value("SSH_CONFIG").orElseThrow(),
                                "host",
                                Testbed.value("SSH_HOST").orElseThrow(),
                                "user",
                                USER))
                .passwordPrompt(person(PASSWORD))
                .build()) {
            assertThat(run(engine, "echo x | sudo tee H; sudo id -u")).containsEntry("output", "x\n0\n");
            assertThat(asked).hasSize(1);
            assertThat(asked.getFirst().sandbox()).contains("ssh");
        }
    }

    @Test
    void aPlaceWithoutSudoIsLeftAsItIs() {
        assumeTrue(Testbed.value("DOCKER_CONTAINER").isPresent(), () -> Testbed.whyMissing("docker"));
        Settings settings = Settings.defaults(Folders.below(folder.resolve("home")));
        try (Engine engine = Engine.builder()
                .settings(settings)
                .backend(
                        "docker",
                        Map.of("container", Testbed.value("DOCKER_CONTAINER").orElseThrow()))
                .passwordPrompt(person("never"))
                .build()) {
            Map<String, Object> result = run(engine, "echo $PATH; sudo id");

            assertThat(result).containsEntry("exit_code", 127);
            assertThat(text(result, "output")).doesNotContain("talaria-").contains("sudo: command not found");
        }
        assertThat(asked).isEmpty();
    }

    @Test
    void rootNeedsNone() {
        try (Engine engine = Engine.builder()
                .settings(settings())
                .passwordPrompt(person("never"))
                .build()) {
            assertThat(run(engine, "sudo id -u; command -v sudo")).containsEntry("output", "0\n/usr/bin/sudo\n");
        }
        assertThat(asked).isEmpty();
    }

    private static boolean alive(String commandLine) {
        return ProcessHandle.allProcesses()
                .anyMatch(process -> process.info()
                        .commandLine()
                        .filter(line -> line.endsWith(commandLine))
                        .isPresent());
    }

    private static String text(Map<String, Object> value, String key) {
        return String.valueOf(value.get(key));
    }
}
