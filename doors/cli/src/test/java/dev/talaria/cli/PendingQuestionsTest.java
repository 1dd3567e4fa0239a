package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.talaria.cli.InProcess.CliResult;
import dev.talaria.engine.json.Json;
import dev.talaria.testkit.Testbed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `talaria approvals pending` and `answer`: another process answers the question of a call that could not ask.
final class PendingQuestionsTest {
    @TempDir
    private Path folder;

    private Path doomed;

    @BeforeEach
    void make() throws Exception {
        doomed = Files.createDirectory(folder.resolve("doomed"));
    }

    private InProcess cli() {
        return new InProcess(folder);
    }

    private CliResult call() {
        return cli().run("call", "--cwd", folder.toString(), "terminal", "{\"command\": \"rm -rf doomed\"}");
    }

    private static String id(CliResult ended) {
        return String.valueOf(Json.object(ended.out()).get("approval_id"));
    }

    /// Runs the command line on a terminal, and types one line at each prompt.
    private String onATerminal(List<String> typed, String... words) throws Exception {
        Optional<String> script = Testbed.value("SCRIPT");
        assumeTrue(script.isPresent(), () -> Testbed.whyMissing("script"));
        Path log = folder.resolve("log-" + System.nanoTime());
        String command =
                CliProcess.command(words).stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        List<String> whole = List.of(script.orElseThrow(), "-qefc", "TERM=xterm " + command, log.toString());
        try (CliProcess talaria = CliProcess.start(folder, whole)) {
            for (String line : typed) {
                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> Files.exists(log) && Files.readString(log).contains("is a no): "));
                talaria.stdin().write((line + "\n").getBytes(StandardCharsets.UTF_8));
                talaria.stdin().flush();
            }
            return talaria.end().out();
        }
    }

    @Test
    void aPersonAnswersFromAnotherTerminalAndTheSameCallRuns() throws Exception {
        CliResult waiting = call();
        String id = id(waiting);
        assertThat(waiting.exit()).isEqualTo(4);
        assertThat(cli().run("approvals", "pending").out())
                .contains(id + "  recursive delete", "    rm -rf doomed", "once: this call alone")
                .contains("always: this very command in " + folder + ", from now on");
        assertThat(cli().run("approvals", "pending", "--json").out())
                .contains(id)
                .doesNotContain("binding");

        assertThat(onATerminal(List.of(), "approvals", "answer", id.substring(0, 8), "once"))
                .contains("Allowed this time. It counts when the same call comes again.");
        assertThat(cli().run("approvals", "pending").out()).contains("answered once");
        assertThat(onATerminal(List.of(), "approvals", "answer", id, "deny")).contains("answered already: once");

        assertThat(cli().run("call", "--cwd", folder.toString(), "terminal", "{\"command\": \"rm -rf doomed/x\"}")
                        .exit())
                .as("another call")
                .isEqualTo(4);
        assertThat(doomed).exists();
        assertThat(call().exit()).isZero();
        assertThat(doomed).doesNotExist();
        assertThat(id(call())).as("it counted once").isNotEqualTo(id);
        assertThat(Files.readString(folder.resolve("state/talaria/audit/audit.jsonl")))
                .contains(
                        "approval required (" + id,
                        "answered once by terminal (" + id,
                        "approved once by terminal (" + id);
    }

    @Test
    void withoutAWordThePersonIsShownTheQuestionAndAsked() throws Exception {
        String id = id(call());

        assertThat(onATerminal(List.of("ak"), "approvals", "answer", id))
                .contains("Talaria needs your approval: ", "recursive delete", "    rm -rf doomed", "[ak] always-kind")
                .containsOnlyOnce("Allowed: every recursive delete, anywhere, from now on");
        assertThat(cli().run("approvals").out()).contains("everything of this kind: every recursive delete, anywhere");
        assertThat(call().exit()).isZero();
    }

    @Test
    void aNoIsANo() throws Exception {
        onATerminal(List.of(), "approvals", "answer", id(call()), "deny");

        CliResult denied = call();
        assertThat(denied.exit()).isEqualTo(4);
        assertThat(denied.out()).contains("Denied by the user", "\"status\":\"blocked\"");
        assertThat(doomed).exists();
    }

    @Test
    void withoutATerminalNothingIsAnswered() {
        String id = id(call());

        CliResult refused = cli().run("approvals", "answer", id, "once");
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("a person at a terminal");
        assertThat(call().exit()).isEqualTo(4);
        assertThat(doomed).exists();
    }

    @Test
    void wrongWordsAreNamed() throws Exception {
        assertThat(cli().run("approvals", "pending").out()).contains("No question waits");
        assertThat(cli().run("approvals", "answer").err()).contains("answer ID once|session|always|deny");
        assertThat(cli().run("approvals", "answer", "1234", "maybe").err()).contains("'maybe' is no answer");
        assertThat(cli().run("approvals", "list", "x", "y").exit()).isEqualTo(2);
        assertThat(onATerminal(List.of(), "approvals", "answer", "12345678", "once"))
                .contains("no question");
    }

    @Test
    void whatLiesInTheFolderBesidesIsNamedWithoutItsControlCharacters() throws Exception {
        id(call());
        Path pending = folder.resolve("state/talaria/approvals/pending");
        Path odd = Files.writeString(pending.resolve("x\033[2Jy"), "{}");

        CliResult listed = cli().run("approvals", "pending");
        assertThat(listed.err()).contains("is left alone", "x\\u001b[2Jy").doesNotContain("\033");
        assertThat(odd).exists();
        Files.setPosixFilePermissions(pending, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(cli().run("approvals", "pending").err()).contains("its mode is rwxrwxrwx");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "talaria approvals answer 0123 once",
                "./talaria approvals answer 0123 once",
                "/opt/x/talaria approvals --json answer 0123 always-kind",
                "tal'a'ria approvals answer 0123 once",
                "bash ./talaria approvals answer 0123 once",
                "sh talaria approvals answer 0123",
                "java -jar /x/talaria.jar approvals answer 0123 once",
                "java -cp doors/cli/target/talaria.jar dev.talaria.cli.Main approvals answer 0123 once",
                "env A=b talaria approvals answer 0123 once",
                "A=b talaria approvals answer 0123 once",
                "sudo -u me talaria approvals answer 0123 once",
                "cd / && exec talaria approvals answer 0123 once",
                "bash -c 'talaria approvals answer 0123 once'",
                "script -qec 'talaria approvals answer 0123 once' /dev/null",
                "python3 -c 'import pty; pty.spawn([\"talaria\", \"approvals\", \"answer\", \"0123\", \"once\"])'",
                "setsid talaria approvals answer 0123 once",
                "x=answer; talaria approvals $x 0123 once",
                "expect -c 'spawn ./talaria approvals answer 0123 once'"
            })
    void noCommandAnswers(String command) {
        assertThat(allowed(command).out()).contains("Blocked (answer to an approval");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo talaria approvals answer",
                "grep -rn 'talaria approvals answer' .",
                "echo 'talaria approvals pending'",
                "git log --grep 'talaria approvals answer'"
            })
    void tellingOfItIsNoAnswer(String command) {
        assertThat(allowed(command).out()).doesNotContain("Blocked");
    }

    private CliResult allowed(String command) {
        String arguments = Json.text(Map.of("command", command));
        return cli().run("call", "--approvals", "allow", "--cwd", folder.toString(), "terminal", arguments);
    }
}
