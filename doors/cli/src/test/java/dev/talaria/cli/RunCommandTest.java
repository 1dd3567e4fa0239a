package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.cli.InProcess.CliResult;
import dev.talaria.engine.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunCommandTest {
    @TempDir
    private Path folder;

    @Test
    void outputComesExactlyOnceAndNothingElse() {
        CliResult ended = cli().script("print('hi')");

        assertThat(ended).isEqualTo(new CliResult(0, "hi\n", ""));
    }

    @Test
    void aFileIsRunWithItsArguments() throws IOException {
        Path script = Files.writeString(folder.resolve("args.py"), "import sys; print(sys.argv[1:])");

        CliResult ended = cli().run("run", script.toString(), "--", "--timeout", "a b", "--");

        assertThat(ended).isEqualTo(new CliResult(0, "['--timeout', 'a b', '--']\n", ""));
    }

    @Test
    void argumentsGoToAScriptFromStdin() {
        CliResult ended = cli().stdin("import sys; print(sys.argv[1:])").run("run", "--", "one");

        assertThat(ended.out()).isEqualTo("['one']\n");
    }

    @Test
    void aFailedScriptEndsWithOneAndShowsItsTracebackOnStderr() {
        CliResult ended = cli().script("print('before')\nimport nosuchmodule");

        assertThat(ended.exit()).isEqualTo(1);
        assertThat(ended.out()).startsWith("before\n");
        assertThat(ended.err())
                .contains("ModuleNotFoundError")
                .contains("talaria: the script failed with exit code 1")
                .contains("hint: ");
    }

    @Test
    void aScriptThatDiesBySignalSaysSo() {
        CliResult ended = cli().script("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)");

        assertThat(ended.exit()).isEqualTo(1);
        assertThat(ended.err()).contains("signal 11 (SIGSEGV)");
    }

    @Test
    void aTimeoutEndsWith124AndKeepsTheOutput() {
        String code = "import time\nprint('begun', flush=True)\ntime.sleep(600)";
        int seconds = 2;
        CliResult ended = cli().script(code, "--timeout", "2");
        while (!ended.out().startsWith("begun") && seconds < 64) {
            seconds *= 2; // the machine is busy
            ended = cli().script(code, "--timeout", String.valueOf(seconds));
        }

        assertThat(ended.exit()).isEqualTo(124);
        assertThat(ended.out()).startsWith("begun\n");
        assertThat(ended.err()).contains("timed out after " + seconds + "s");
    }

    @Test
    void jsonIsOneObjectOnOneLine() {
        CliResult ended = cli().script("print('hi')", "--json");

        assertThat(ended.out().lines()).hasSize(1);
        assertThat(Json.object(ended.out())).containsEntry("status", "success").containsEntry("output", "hi\n");
        assertThat(ended.err()).isEmpty();
    }

    @Test
    void jsonOfAFailureEndsWithItsExitCode() {
        CliResult ended = cli().script("raise SystemExit(7)", "--json");

        assertThat(ended.exit()).isEqualTo(1);
        assertThat(Json.object(ended.out())).containsEntry("exit_code", 7).containsEntry("status", "error");
    }

    @Test
    void silenceIsSaidOnStderr() {
        CliResult ended = cli().script("x = 1");

        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).contains("note: Finished, no output.");
    }

    @Test
    void scriptsCallTheToolsThatAreNamed() {
        CliResult ended = cli().script(
                        "from hermes_tools import terminal\nprint(terminal('echo $((6*7))')['output'])",
                        "--tools",
                        "terminal");

        assertThat(ended.out()).startsWith("42\n");
    }

    @Test
    void noToolsMeansNone() {
        CliResult ended = cli().script("import hermes_tools\nprint(hasattr(hermes_tools, 'terminal'))", "--tools", "");

        assertThat(ended).isEqualTo(new CliResult(0, "False\n", ""));
    }

    @Test
    void theBudgetOfToolCallsHolds() {
        String code = "from hermes_tools import terminal\nprint([terminal('true').get('error') for _ in range(2)])";

        CliResult ended = cli().script(code, "--max-tool-calls", "1");

        assertThat(ended.out()).contains("Tool call limit reached (1)");
    }

    @Test
    void variablesPassOnlyWhenTheyAreNamed() {
        String code = "import os; print(os.environ.get('MY_SETTING'))";

        CliResult without = cli().with("MY_SETTING", "blue").script(code);
        CliResult with = cli().with("MY_SETTING", "blue").script(code, "--env", "MY_SETTING");

        assertThat(without.out()).isEqualTo("None\n");
        assertThat(with).isEqualTo(new CliResult(0, "blue\n", ""));
    }

    @Test
    void workingFolderAndModeAreHonoured() throws IOException {
        String code = "import os; print(os.getcwd())";

        CliResult project = cli().script(code, "--cwd", folder.toString());
        CliResult strict = cli().script(code, "--cwd", folder.toString(), "--mode", "strict");

        assertThat(project.out().strip()).isEqualTo(folder.toRealPath().toString());
        assertThat(strict.out().strip()).isNotEqualTo(folder.toRealPath().toString());
    }

    @Test
    void everyTransportRunsTheSameScript() {
        String code = "from hermes_tools import terminal\nprint(terminal('echo here')['output'].strip())";

        for (String transport : new String[] {"uds", "stream", "file"}) {
            assertThat(cli().script(code, "--transport", transport).out())
                    .as(transport)
                    .isEqualTo("here\n");
        }
    }

    @Test
    void anUnknownBackendEndsWith3() {
        CliResult ended = cli().script("print(1)", "--backend", "clouds");

        assertThat(ended.exit()).isEqualTo(3);
        assertThat(ended.err())
                .startsWith("talaria: There is no backend 'clouds'. Choose one of ")
                .doesNotContain("\tat ");
    }

    @Test
    void jsonSaysWhyThereIsNoBackend() {
        CliResult ended = cli().script("print(1)", "--json", "--backend", "clouds");

        assertThat(ended.exit()).isEqualTo(3);
        assertThat(String.valueOf(Json.object(ended.out()).get("error"))).contains("clouds");
    }

    @Test
    void aBackendThatDoesNotAnswerEndsWith3() {
        CliResult ended = cli().script("print(1)", "--backend", "prefix", "--backend-option", "prefix=/nosuchprogram");

        assertThat(ended.exit()).isEqualTo(3);
        assertThat(ended.err()).contains("/nosuchprogram").doesNotContain("\tat ");
    }

    @Test
    void anEmptyScriptIsRefused() {
        CliResult ended = cli().script(" \n");

        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.err()).contains("No code provided");
    }

    @Test
    void aMissingFileIsNamed() {
        CliResult ended = cli().run("run", "nosuch.py");

        assertThat(ended)
                .isEqualTo(new CliResult(
                        2, "", "talaria: there is no file nosuch.py. Name a script, or '-' for stdin.\n"));
    }

    @Test
    void problemsOfTheConfigurationAreReportedTogether() throws IOException {
        Files.createDirectories(folder.resolve("config/talaria"));
        Files.writeString(folder.resolve("config/talaria/talaria.yaml"), "bakend: local\nscript: {timeout: soon}\n");

        CliResult ended = cli().script("print(1)", "--max-tool-calls", "many");

        assertThat(ended.exit()).isEqualTo(2);
        assertThat(ended.err()).contains("bakend").contains("script.timeout").contains("script.tool-calls");
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void aProjectFileNarrowsWhatARunMayDo() throws IOException {
        Files.writeString(folder.resolve("talaria.yaml"), "script: {tool-calls: 1}\n");

        CliResult ended = cli().script("print('ran')", "--cwd", folder.toString(), "--json");

        assertThat(limit(Json.object(ended.out()), "tool_calls")).isEqualTo(1);
    }

    private static Object limit(Map<String, Object> result, String name) {
        return ((Map<?, ?>) ((Map<?, ?>) result.get("limits")).get(name)).get("allowed");
    }

    private InProcess cli() {
        return new InProcess(folder);
    }
}
