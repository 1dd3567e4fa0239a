package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.cli.InProcess.CliResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.json.Json;
import dev.talaria.testkit.Testbed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CommandsTest {
    @TempDir
    private Path folder;

    @Test
    void aCallIsWaitedForHoweverLongItMayTake() {
        Map<String, Object> value =
                Json.object(cli().run("call", "terminal", "{\"command\": \"sleep 0.5; echo done\", \"timeout\": 900}")
                        .out());

        assertThat(value).containsEntry("output", "done").doesNotContainKey("session_id");
        assertThat(cli().run("call", "--timeout", "1", "terminal", "{\"command\": \"sleep 600\"}")
                        .exit())
                .isEqualTo(124);
    }

    @Test
    void aCallSaysThatNothingGoesOnAfterIt() {
        Map<String, Object> value = Json.object(cli().run(
                        "call",
                        "terminal",
                        "{\"command\": \"sleep 600\", \"background\": true, \"notify\": [\"x\"], \"heartbeat\": 60}")
                .out());

        assertThat(value)
                .containsKeys("session_id", "notify_unsupported")
                .doesNotContainKeys("notify_on_complete", "watch_patterns", "heartbeat_seconds");
        assertThat((String) value.get("hint")).contains("persist_on_release=true");
    }

    @Test
    void schemasTellTheConfiguredTimes() {
        String schemas = cli().with("TERMINAL_TIMEOUT", "77")
                .with("TERMINAL_MAX_FOREGROUND_TIMEOUT", "88")
                .run("schema", "terminal", "process")
                .out();

        assertThat(schemas).contains("77", "88").doesNotContain("180", "600");
    }

    @Test
    void callPrintsTheResultAsJson() {
        CliResult ended = cli().run("call", "terminal", "{\"command\": \"echo hi; exit 3\"}");

        assertThat(ended.exit()).isEqualTo(1);
        assertThat(Json.object(ended.out())).containsEntry("output", "hi").containsEntry("exit_code", 3);
    }

    @Test
    void callReadsItsArgumentsFromAFileOrStdin() throws IOException {
        Path file = Files.writeString(folder.resolve("args.json"), "{\"command\": \"echo file\"}");

        CliResult fromFile = cli().run("call", "terminal", "@" + file);
        CliResult fromStdin = cli().stdin("{\"command\": \"echo stdin\"}").run("call", "terminal", "-");

        assertThat(Json.object(fromFile.out())).containsEntry("output", "file");
        assertThat(Json.object(fromStdin.out())).containsEntry("output", "stdin");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nosuch    | {}                  | 2 | no tool 'nosuch'",
                "terminal  | {}                  | 2 | command",
                "terminal  | not json            | 2 | no JSON object",
                "read_file | {\"path\": \"/no\"} | 1 | no file /no",
            })
    void callExplainsWhatItCannotDo(String tool, String arguments, int exit, String message) {
        CliResult ended = cli().run("call", tool, arguments);

        assertThat(ended.exit()).isEqualTo(exit);
        assertThat(ended.out() + ended.err()).contains(message);
    }

    @Test
    void aFileThatRunsLaterIsNotWrittenWithoutAnApproval() throws IOException {
        Files.createDirectories(folder.resolve("project/.git/hooks"));
        Path link = Files.createSymbolicLink(folder.resolve("project/notes"), Path.of(".git/hooks"));
        String arguments = Json.text(Map.of("path", link.resolve("pre-commit").toString(), "content", "evil"));

        CliResult ended = cli().run("call", "write_file", arguments);

        assertThat(ended.exit()).isEqualTo(4);
        assertThat(Json.object(ended.out()).get("error"))
                .asString()
                .contains("approval, and nobody can be asked", "git runs by itself", "approvals.allow");
        assertThat(folder.resolve("project/.git/hooks/pre-commit")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"openai, parameters", "anthropic, input_schema", "mcp, inputSchema"})
    void schemaSpeaksEveryFormat(String format, String key) {
        CliResult ended = cli().run("schema", "--format", format, "read_file", "execute_code");

        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).startsWith("[").contains("\"" + key + "\"", "read_file", "execute_code");
        assertThat(ended.out()).doesNotContain("\"name\" : \"write_file\"");
    }

    @Test
    void configShowsValuesWithTheirOriginAndMeaning() throws IOException {
        Files.createDirectories(folder.resolve("config/talaria"));
        Files.writeString(folder.resolve("config/talaria/talaria.yaml"), "script:\n  timeout: 2m\n");

        CliResult ended = cli().with("TALARIA_SCRIPT_TOOL_CALLS", "9").run("config", "--mode", "strict");

        assertThat(ended.exit()).isZero();
        assertThat(ended.out())
                .contains("script.timeout: 2m   (" + folder.resolve("config/talaria/talaria.yaml") + ":2)")
                .contains("script.tool-calls: 9   ($TALARIA_SCRIPT_TOOL_CALLS)")
                .contains("script.mode: strict   (command line)")
                .contains("# How long a script may run");
    }

    @Test
    void configListsAllProblemsAndEndsWith2() {
        CliResult ended = cli().with("TALARIA_BACKEND", "No!").run("config", "--json", "--timeout", "soon");

        assertThat(ended.exit()).isEqualTo(2);
        assertThat((List<?>) Json.object(ended.out()).get("problems")).hasSize(2);
    }

    @Test
    void doctorProvesThatAScriptRuns() {
        CliResult ended = cli().run("doctor");

        assertThat(ended.exit()).as(ended.out()).isZero();
        assertThat(ended.out())
                .contains("a script ran on the backend local", "the script called a tool", "isolation     local: NONE")
                .contains("memory unlimited, processes unlimited");
    }

    @ParameterizedTest
    @CsvSource({"workspace, shared: loopback", "closed, out of reach"})
    void doctorTriesToGetOutOfASandbox(String profile, String network) throws IOException {
        Assumptions.assumeTrue(Testbed.value("BWRAP").isPresent(), Testbed.whyMissing("bwrap"));
        Path work = Files.createDirectories(folder.resolve("work"));
        CliResult ended = cli().run("doctor", "--isolation", profile, "--cwd", work.toString());

        assertThat(ended.exit()).as(ended.out()).isZero();
        assertThat(ended.out())
                .contains("bubblewrap: NAMESPACE, seen from inside", "out of sight", "nothing was written outside")
                .contains("ours cannot be seen", "TIOCSTI", "no script makes user namespaces", network);
    }

    @Test
    void isolationAndAnotherBackendDoNotGoTogether() {
        CliResult ended = cli().run("doctor", "--isolation", "closed", "--backend", "local");

        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.err()).contains("Leave one of the two out");
    }

    @Test
    void doctorEndsWith1WhereNothingRuns() {
        CliResult ended =
                cli().run("doctor", "--json", "--backend", "prefix", "--backend-option", "prefix=/nosuchprogram");

        assertThat(ended.exit()).isEqualTo(1);
        assertThat(Json.object(ended.out())).containsEntry("ok", false);
        assertThat(ended.out()).contains("\"level\":\"fail\"", "/nosuchprogram");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "call", "schema", "config", "doctor", "mcp"})
    void everyCommandHasHelpWithAnExample(String command) {
        CliResult ended = cli().run(command, "--help");

        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).startsWith("Usage: talaria " + command).containsPattern("Examples?:\n  ");
        assertThat(ended.out().lines()).allMatch(line -> line.length() <= 100);
        assertThat(cli().run("help", command).out()).isEqualTo(ended.out());
    }

    @Test
    void theHelpListsAllCommands() {
        CliResult ended = cli().run("--help");

        assertThat(ended.exit()).isZero();
        assertThat(ended.out())
                .contains("  run ", "  call ", "  schema ", "  config ", "  doctor ", "  mcp ", "  bench ");
        assertThat(cli().run().exit()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rnu x.py                | Did you mean 'run'?",
                "run --bakcend x a.py    | Did you mean '--backend'?",
                "run --timeout           | --timeout needs a value",
                "run --timeout 1 --timeout 2 | given twice",
                "run --json=yes          | takes no value",
                "run a.py b              | Arguments of the script go after '--'",
                "run --tools raed_file   | Did you mean 'read_file'?",
                "run --tools patch       | there is no tool 'patch'",
                "run --env A=B           | write the name alone",
                "run --cwd /nosuchfolder | no folder /nosuchfolder",
                "run --backend-option x  | KEY=VALUE",
                "run --timeout 2h        | script.timeout-ceiling",
                "schema excute_code      | Did you mean 'execute_code'?",
                "schema --format xml     | openai, anthropic, mcp",
                "call                    | TOOL is missing",
                "call terminal {} -- a   | for scripts",
            })
    void mistakesEndWith2AndTheNextStep(String line, String message) {
        CliResult ended = cli().stdin("print(1)").run(line.split(" +"));

        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.err()).contains(message).doesNotContain("\tat ");
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void everyBuiltInToolCanBeNamed() {
        CliResult ended = cli().stdin("print('hi')").run("run", "--tools", String.join(",", Engine.builtInTools()));

        assertThat(ended).isEqualTo(new CliResult(0, "hi\n", ""));
    }

    @Test
    void anUnknownModeIsTheDefaultWithAWarning() {
        CliResult ended = cli().stdin("print('hi')").run("run", "--mode", "stric");

        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).isEqualTo("hi\n");
        assertThat(ended.err()).contains("stric").contains("project, strict");
    }

    @Test
    void versionIsOneLine() {
        assertThat(cli().run("--version").out()).startsWith("talaria ").hasLineCount(1);
    }

    private InProcess cli() {
        return new InProcess(folder);
    }

    @Test
    void approvalsAreListedAndTakenBack() throws Exception {
        Path file = Files.createDirectories(folder.resolve("state/talaria/approvals"))
                .resolve("approvals.json");
        String one = "{\"id\":\"%s\",\"key\":\"%s\",\"example\":\"x\",\"by\":\"me\",\"at\":\"2026-11-15T07:00:00Z\"}";
        Files.writeString(
                file,
                "{\"approvals\":[" + one.formatted("1a2b", "recursive delete") + ","
                        + one.formatted("1c2d", "git force push") + "]}");

        assertThat(cli().run("approvals").out())
                .contains(
                        "1a2b  everything of this kind: every recursive delete, anywhere",
                        "1c2d  everything of this kind: every git force push, anywhere");
        assertThat(cli().run("approvals", "list", "--json").out()).contains("\"key\":\"recursive delete\"");
        assertThat(cli().run("approvals", "revoke", "1").exit()).isEqualTo(2);
        assertThat(cli().run("approvals", "revoke").exit()).isEqualTo(2);
        assertThat(cli().run("approvals", "remove").err()).contains("list, revoke, clear, pending, answer");
        assertThat(cli().run("approvals", "list", "1a").exit()).isEqualTo(2);
        assertThat(cli().run("approvals", "revoke", "1a").out()).contains("recursive delete");
        assertThat(cli().run("approvals", "clear", "--json").out()).isEqualTo("{\"cleared\":1}\n");
        assertThat(cli().run("approvals").out()).contains("Nothing is allowed");
        assertThat(cli().run("approvals", "--help").out()).contains("revoke ID", "--json");
    }

    @Test
    void aDangerousCommandIsDeniedWithExitFourUnlessAllowed() throws Exception {
        Path doomed = Files.createDirectory(folder.resolve("doomed"));
        String json = "{\"command\": \"rm -rf " + doomed + "\"}";

        CliResult denied = cli().run("call", "terminal", json);
        assertThat(denied.exit()).isEqualTo(4);
        assertThat(denied.out()).contains("approvals.mode", "\"status\":\"approval_required\"");
        assertThat(cli().run("call", "--approvals", "deny", "terminal", json).out())
                .contains("approvals.mode", "\"status\":\"blocked\"");
        assertThat(doomed).exists();
        assertThat(cli().run("call", "--approvals", "allow", "terminal", json).exit())
                .isZero();
        assertThat(doomed).doesNotExist();
        assertThat(cli().run("call", "--approvals", "maybe", "terminal", json).exit())
                .isEqualTo(2);
        assertThat(cli().script("print(1)", "--approvals", "ask").exit()).isEqualTo(4);
        assertThat(cli().script("print(1)", "--approvals", "ask").err())
                .contains("this needs your approval (execute_code)", "talaria approvals answer ")
                .doesNotContain("Do not retry");
    }
}
