package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.ToolResult;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests that a command runs as under `bash -c`, and that its exports persist.
interface ShellRuns extends RunSubject {

    @Test
    default void exportsSurviveAndCanBeTakenBack() {
        if (!remembers()) {
            return;
        }
        Terminal terminal = Terminal.fresh(runs());
        terminal.output("export COLOUR=blue \"SPACED=two words\"; plain=1");
        assertThat(terminal.output("echo \"$COLOUR/$SPACED/${plain-none}\"")).isEqualTo("blue/two words/none\n");
        terminal.output("unset COLOUR; export SPACED=$'a\"b\\'c\\\\d$`\\n\\te\\x01\\xff'");
        assertThat(terminal.output("echo ${COLOUR-gone}; printf %s \"$SPACED\" | od -An -tx1 | tr -d ' \\n'"))
                .isEqualTo("gone\n61226227635c6424600a096501ff");
    }

    @Test
    default void exportsSurviveExitSetEAndATrapOfTheCommandsOwn() {
        if (!remembers()) {
            return;
        }
        Terminal terminal = Terminal.fresh(runs());
        assertThat(terminal.run("export A=1; exit 3").exitCode()).isEqualTo(3);
        assertThat(terminal.run("set -e; export B=2; false; export B=3").exitCode())
                .isEqualTo(1);
        assertThat(terminal.run("f() { export C=3; exit 7; }; f").exitCode()).isEqualTo(7);
        RunResult trapped = terminal.run("trap 'echo bye' EXIT; export D=4; (exit 5)");
        assertThat(trapped.exitCode()).isEqualTo(5);
        assertThat(trapped.output()).isEqualTo("bye\n");
        assertThat(terminal.output("echo $A$B$C$D $-")).startsWith("1234 ").doesNotContain("e");
    }

    @Test
    default void aCommandThatIsKilledChangesNothing() {
        if (!remembers()) {
            return;
        }
        Terminal terminal = Terminal.fresh(runs());
        terminal.output("export KEPT=yes; cd /");
        RunResult killed = terminal.run("cd /usr; export KEPT=no; trap 'exit 0' TERM; sleep 60", Map.of("timeout", 1));
        assertThat(killed.exitCode()).isEqualTo(124);
        assertThat(terminal.run("cd /usr; export KEPT=no; kill -9 $$").exitCode())
                .isEqualTo(137);
        assertThat(terminal.output("echo $KEPT; pwd")).isEqualTo("yes\n/\n");
    }

    @Test
    default void secretsAndOurOwnNamesAreNotKept() {
        if (!remembers()) {
            return;
        }
        Terminal terminal = Terminal.fresh(runs());
        terminal.output("export MY_API_KEY=k HERMES_RPC_SOCKET=/s TALARIA_X=1 HARMLESS=1");
        assertThat(terminal.output("echo ${MY_API_KEY-a}${HERMES_RPC_SOCKET-b}c${TALARIA_X-d}$HARMLESS $SHLVL"))
                .isEqualTo("abcd1 1\n");
    }

    @Test
    default void sessionsDoNotShareVariables() {
        Terminal.fresh(runs()).output("export OWNER=one; cd /");
        assertThat(Terminal.fresh(runs()).output("echo ${OWNER-nobody}; pwd"))
                .isEqualTo("nobody\n" + runs().folder() + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "echo $0 $# \"$*\" | bash 0 | 0",
                "shopt -q expand_aliases && echo on | on | 0",
                "echo $LINENO | 1 | 0",
                "[[ abc == a* ]] && echo ${BASH_VERSION:+yes} | yes | 0",
            })
    default void bashRunsCommands(String command, String output, long code) {
        RunResult ran = Terminal.shared(runs()).run(command);
        if (has(Behaviour.BASH)) {
            assertThat(ran.output().strip()).isEqualTo(output.strip());
            assertThat(ran.exitCode()).isEqualTo(code);
        } else {
            assertThat(ran.text("fallback")).contains("There is no bash in this sandbox: sh ");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "echo hi # a comment | hi | 0",
                "false | ~~ | 1",
                "exec echo replaced | replaced | 0",
                "( exit 9 ) | ~~ | 9",
                "f() { echo in f; }; f | in f | 0",
                "echo out; echo err >&2; echo out | ~out\nerr\nout~ | 0",
                "kill -TERM $$ | ~~ | 143",
                "cat | ~~ | 0",
                "read x; echo $? | 1 | 0",
                "echo \"$PAGER $GIT_PAGER\" | cat cat | 0",
                "echo $(ls /proc/self/fd) | 0 1 2 3 | 0",
                "exec 8>/dev/null 9>/dev/null; export X=1; echo ok | ok | 0",
                "exec 9>&1; exit 0 | ~~ | 0",
            })
    default void behavesAsAShellDoes(String command, String output, long code) {
        RunResult ran = Terminal.shared(runs()).run(command);
        assertThat(ran.output().strip()).isEqualTo(output.strip());
        assertThat(ran.exitCode()).isEqualTo(code);
    }

    @Test
    default void severalLinesHeredocsAndAliases() {
        Terminal terminal = Terminal.fresh(runs());
        assertThat(terminal.output("alias hey='echo hello'\nhey\ncat <<'X'\n$not 'touched\nX\ncat <<Y\n$((1+5))\nY"))
                .isEqualTo("hello\n$not 'touched\n6\n");
        RunResult broken = terminal.run("echo before\necho \"never closed");
        if ("blocked".equals(broken.value().get("status"))) { // the gate asks about text that no shell understands
            return;
        }
        assertThat(broken.exitCode()).isEqualTo(2);
        assertThat(broken.output()).startsWith("before\n").containsAnyOf("unexpected EOF", "unterminated");
        assertThat(broken.text("hint")).contains("write_file");
        assertThat(terminal.run("cat <<Z\nunterminated").output()).contains("unterminated");
    }

    @Test
    default void noStartupFileIsReadBeforeACommandBelowAnSshd() {
        Terminal terminal = Terminal.fresh(runs());
        terminal.output("mkdir -p rc-home; echo 'echo read' > rc-home/.bashrc; export HOME=$PWD/rc-home SSH_CLIENT=x");
        assertThat(terminal.output("echo alone")).isEqualTo("alone\n");
    }

    @Test
    default void nothingOfACommandShowsInPs() {
        assertThat(Terminal.shared(runs())
                        .output("tr '\\0' ' ' </proc/$$/cmdline; tr '\\0' '\\n' </proc/self/environ # 4711-visible"))
                .doesNotContain("4711-visible");
    }

    @Test
    default void aLongCommandRuns() {
        String text = "x".repeat(100_000);
        RunResult ran = Terminal.shared(runs()).run("printf %s " + text + " | wc -c");
        assertThat(ran.output().strip()).as("%s", ran.value()).isEqualTo("100000");
        RunResult longer = Terminal.shared(runs()).run("printf %s " + text.repeat(5) + " | wc -c");
        boolean closed = has(Behaviour.CLOSED) || List.of("container", "kernel").contains(ran.text("isolation"));
        if (closed) {
            assertThat(longer.output().strip()).as("%s", longer.value()).isEqualTo("500000");
        } else { // the gate has to read commands that can reach people's machines
            assertThat(longer.result()).isInstanceOf(ToolResult.Denied.class);
            assertThat(longer.error()).contains("characters").contains("write_file");
        }
    }

    @Test
    default void manyAtATimeNeitherMixNorLoseAnything() throws Exception {
        Terminal terminal = Terminal.fresh(runs());
        int count = has(Behaviour.PYTHON) ? 200 : 40; // each is a client of its own there
        try (ExecutorService threads = Executors.newFixedThreadPool(20)) {
            List<Future<String>> running = IntStream.range(0, count)
                    .mapToObj(i -> threads.submit(() -> terminal.output("export V" + i + "=" + i + "; echo " + i)))
                    .toList();
            for (int i = 0; i < running.size(); i++) {
                assertThat(running.get(i).get()).isEqualTo(i + "\n");
            }
        }
        if (remembers()) {
            assertThat(terminal.output("echo $((${V0}+${V199})); env | grep -c '^V[0-9]'"))
                    .isEqualTo("199\n200\n");
        }
    }
}
