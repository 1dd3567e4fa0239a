package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.cli.InProcess.CliResult;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ShellCommandTest {
    @TempDir
    private Path folder;

    @Test
    void oneCommandPrintsItsOutputAndEndsWithItsExitCode() {
        CliResult ended = cli().run("sh", "--", "echo out; echo err >&2; exit 7");

        assertThat(ended.exit()).isEqualTo(7);
        assertThat(ended.out()).isEqualTo("out\nerr\n");
        assertThat(ended.err()).isEmpty();
    }

    @Test
    void severalWordsAreAProgramAndItsArguments() {
        assertThat(cli().run("sh", "--", "printf", "%s|", "two words", "it's", "$HOME")
                        .out())
                .isEqualTo("two words|it's|$HOME|");
    }

    @Test
    void stdinIsTheCommands() {
        assertThat(cli().stdin("a\nb\n").run("sh", "--", "wc -l").out().strip()).isEqualTo("2");
    }

    @Test
    void aCommandThatDoesNotReadItsInputDoesNotWaitForIt() throws Exception {
        try (CliProcess talaria = CliProcess.start(folder, CliProcess.command("sh", "--", "echo hi"))) {
            assertThat(talaria.end().out()).isEqualTo("hi\n"); // stdin is still open
        }
    }

    @Test
    void endlessInputIsReadAsFarAsItIsWanted() throws Exception {
        String talaria = CliProcess.command("sh", "--", "head -1").stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
        try (CliProcess pipe = CliProcess.start(folder, List.of("sh", "-c", "yes | " + talaria))) {
            assertThat(pipe.end()).isEqualTo(new CliResult(0, "y\n", ""));
        }
    }

    @Test
    void aCommandMayTakeAsLongAsTheOptionSays() {
        assertThat(cli().run("sh", "--timeout", "1", "--", "sleep 600").exit()).isEqualTo(124);
        assertThat(cli().stdin("sleep 600\n").run("sh", "--timeout", "1s").exit())
                .isEqualTo(124);
        assertThat(cli().with("TERMINAL_TIMEOUT", "1")
                        .run("sh", "--", "sleep 1.5; echo over")
                        .out())
                .isEqualTo("over\n");
        assertThat(cli().run("sh", "--timeout", "soon", "--", "true").exit()).isEqualTo(2);
    }

    @Test
    void exitEndsTheShellWithItsCode() {
        CliResult ended = cli().stdin("echo one\nexit 3\necho never\n").run("sh");

        assertThat(ended.out()).isEqualTo("one\n");
        assertThat(ended.exit()).isEqualTo(3);
        assertThat(cli().stdin("export CODE=5\nexit $CODE\n").run("sh").exit()).isEqualTo(5);
        assertThat(cli().stdin("exitcode() { echo no; }\necho on\n").run("sh").out())
                .isEqualTo("on\n");
    }

    @Test
    void workdirAndWhatIsWrongWithIt() {
        assertThat(cli().run("sh", "--workdir", "/", "--", "pwd").out()).isEqualTo("/\n");
        CliResult missing = cli().run("sh", "--workdir", "/no/such", "--", "pwd");
        assertThat(missing.exit()).isEqualTo(126);
        assertThat(missing.out()).contains("/no/such");
    }

    @Test
    void linesShareASession() {
        CliResult ended =
                cli().stdin("cd /\n\nexport X=1\necho \"$X $PWD\"\nfalse\n").run("sh");

        assertThat(ended.out()).isEqualTo("1 /\n");
        assertThat(ended.exit()).isEqualTo(1);
        assertThat(cli().stdin("true\nexit\necho never\n").run("sh").out()).isEmpty();
    }

    @Test
    void aDeniedCommandEndsWithFour() {
        CliResult ended = cli().run("sh", "--approvals", "deny", "--", "rm -rf " + folder + "/x");

        assertThat(ended.exit()).isEqualTo(4);
        assertThat(ended.err()).contains("talaria:");
    }

    @Test
    void theHelpHasExamples() {
        assertThat(cli().run("sh", "--help").out())
                .contains("[-- COMMAND]")
                .contains("talaria sh -- uname -a")
                .contains("--timeout", "--backend", "--approvals")
                .doesNotContain("--tools", "--mode", "--max-tool-calls", "--python", "--transport");
    }

    private InProcess cli() {
        return new InProcess(folder);
    }
}
