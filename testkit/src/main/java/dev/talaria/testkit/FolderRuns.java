package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests in which folder a command runs, and in which the next one.
interface FolderRuns extends RunSubject {

    @Test
    default void theFolderSurvivesAndIsToldWhenItChanges() {
        if (!writes()) {
            return;
        }
        if (!remembers()) {
            return;
        }
        Terminal terminal = Terminal.fresh(runs());
        assertThat(terminal.run("pwd").find("cwd")).isEmpty();
        RunResult moved = terminal.run("mkdir -p 'a b/c'; cd 'a b/c'");
        assertThat(moved.text("cwd")).isEqualTo(runs().folder() + "/a b/c");
        assertThat(terminal.output("pwd")).isEqualTo(runs().folder() + "/a b/c\n");
        assertThat(terminal.run("cd .").find("cwd")).isEmpty();
        assertThat(terminal.output("cd - >/dev/null; pwd")).isEqualTo(runs().folder() + "\n");
        assertThat(terminal.run("(cd /)").find("cwd")).isEmpty();
    }

    @Test
    default void workdirCountsForOneCommandOnly() {
        if (!writes()) {
            return;
        }
        Terminal terminal = Terminal.fresh(runs());
        assertThat(terminal.run("pwd; cd /usr", Map.of("workdir", "/")).output())
                .isEqualTo("/\n");
        assertThat(terminal.output("pwd; mkdir -p here; cd here")).isEqualTo(runs().folder() + "\n");
        assertThat(terminal.run("pwd", Map.of("workdir", runs().folder() + "/here/.."))
                        .output())
                .isEqualTo(runs().folder() + "\n");
        if (!remembers()) {
            assertThat(terminal.run("pwd", Map.of("workdir", "here")).output()).isEqualTo(runs().folder() + "/here\n");
            return;
        }
        assertThat(terminal.run("pwd", Map.of("workdir", "..")).output()).isEqualTo(runs().folder() + "\n");
        assertThat(terminal.output("pwd")).isEqualTo(runs().folder() + "/here\n");
    }

    @Test
    default void tildeIsTheHomeFolder() {
        Terminal terminal = Terminal.fresh(runs());
        String home = terminal.output("cd; pwd").strip();
        assertThat(terminal.run("pwd", Map.of("workdir", "~")).output().strip()).isEqualTo(home);
        if (!remembers() || !writes()) {
            return;
        }
        terminal.output("cd -; mkdir -p 'home/with spaces'; export HOME=$PWD/home");
        assertThat(terminal.run("pwd", Map.of("workdir", "~/with spaces")).output())
                .isEqualTo(runs().folder() + "/home/with spaces\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"$(touch pwned)", "a;b", "it's", "\"q\"", "-n", "new\nline", "ünïcode ☃", "back\\slash", "*"})
    default void oddNamesArePlainNames(String name) {
        Terminal terminal = Terminal.shared(runs());
        String folder = runs().writable() + "/" + name;
        terminal.run("mkdir -p \"$(cat)\"", Map.of("stdin_data", folder));
        assertThat(terminal.run("pwd", Map.of("workdir", folder)).output()).isEqualTo(folder + "\n");
        if (has(Behaviour.PYTHON)) { // otherwise nothing of it would persist
            terminal.run("cd \"$(cat)\"", Map.of("stdin_data", folder));
            assertThat(terminal.output("pwd; ls")).isEqualTo(folder + "\n");
        }
    }

    @Test
    default void aFolderThatIsNotThereIsSaidToBeMissing() {
        Terminal terminal = Terminal.fresh(runs());
        RunResult missing = terminal.run("echo ran", Map.of("workdir", "/no/such/folder"));
        assertThat(missing.exitCode()).isEqualTo(126);
        assertThat(missing.output())
                .contains("/no/such/folder")
                .contains("No such file or directory")
                .contains("workdir")
                .doesNotContain("ran\n");
        RunResult file = terminal.run("echo ran", Map.of("workdir", "/etc/passwd"));
        assertThat(file.exitCode()).isEqualTo(126);
        assertThat(file.output()).contains("Not a directory").contains("/etc/passwd");
        assertThat(terminal.output("pwd")).isEqualTo(runs().folder() + "\n");
    }

    @Test
    default void aSessionOutlivesItsFolder() {
        if (!writes()) {
            return;
        }
        if (!remembers()) {
            return;
        }
        Terminal terminal = Terminal.fresh(runs());
        terminal.output("mkdir -p up/down; cd up/down");
        terminal.output("rmdir ../down");
        RunResult ran = terminal.run("pwd");
        assertThat(ran.output()).isEqualTo(runs().folder() + "/up\n");
        assertThat(ran.text("fallback")).contains("/up/down");
    }
}
