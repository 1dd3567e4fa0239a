package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.cli.InProcess.Ended;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ShellCommandTest {
    @TempDir
    private Path folder;

    @Test
    void oneCommandPrintsItsOutputAndEndsWithItsExitCode() {
        Ended ended = cli().run("sh", "--", "echo out; echo err >&2; exit 7");

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
    void workdirAndWhatIsWrongWithIt() {
        assertThat(cli().run("sh", "--workdir", "/", "--", "pwd").out()).isEqualTo("/\n");
        Ended missing = cli().run("sh", "--workdir", "/no/such", "--", "pwd");
        assertThat(missing.exit()).isEqualTo(126);
        assertThat(missing.out()).contains("/no/such");
    }

    @Test
    void linesShareASession() {
        Ended ended =
                cli().stdin("cd /\n\nexport X=1\necho \"$X $PWD\"\nfalse\n").run("sh");

        assertThat(ended.out()).isEqualTo("1 /\n");
        assertThat(ended.exit()).isEqualTo(1);
        assertThat(cli().stdin("true\nexit\necho never\n").run("sh").out()).isEmpty();
    }

    @Test
    void aDeniedCommandEndsWithFour() {
        Ended ended = cli().run("sh", "--approvals", "deny", "--", "rm -rf " + folder + "/x");

        assertThat(ended.exit()).isEqualTo(4);
        assertThat(ended.err()).contains("talaria:");
    }

    @Test
    void theHelpHasExamples() {
        assertThat(cli().run("sh", "--help").out()).contains("[-- COMMAND]").contains("talaria sh -- uname -a");
    }

    private InProcess cli() {
        return new InProcess(folder);
    }
}
