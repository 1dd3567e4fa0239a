package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.talaria.testkit.Testbed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests at a real terminal: typing, reading the screen, answering, interrupting.
final class TmuxTest {
    @TempDir
    private Path folder;

    @Test
    void aScriptsOutputIsOnTheScreenAndTheProgressLineIsNot() throws Exception {
        Files.writeString(folder.resolve("slow.py"), """
                import time
                print("began", flush=True)
                time.sleep(2.5)
                print("ended")
                """);
        try (Tmux terminal = Tmux.open(folder)) {
            terminal.talaria("run", "slow.py");
            terminal.shows("began");
            terminal.shows("waiting for");
            terminal.shows("ended");
            terminal.type("echo status $?");
            terminal.press("Enter");

            assertThat(terminal.shows("status 0")).contains("began\nended\n").doesNotContain("waiting for");
        }
    }

    @Test
    void ctrlCInterruptsTheScriptAndSaysSo() throws Exception {
        Files.writeString(folder.resolve("long.py"), "import time\nprint('began', flush=True)\ntime.sleep(600)\n");
        try (Tmux terminal = Tmux.open(folder)) {
            terminal.talaria("run", "long.py");
            terminal.shows("began");
            terminal.press("C-c");
            terminal.shows("nterrupted");
            terminal.type("echo status $?");
            terminal.press("Enter");

            terminal.shows("status 130");
        }
    }

    @Test
    void aQuestionIsAnsweredWithAKey() throws Exception {
        Path doomed = Files.createDirectories(folder.resolve("doomed/deep")).getParent();
        try (Tmux terminal = Tmux.open(folder)) {
            terminal.talaria("call", "terminal", "{\"command\": \"rm -rf doomed && echo gone\"}");
            terminal.shows("needs your approval");
            terminal.shows("[d]eny");
            assertThat(doomed).exists();
            terminal.type("o");
            terminal.press("Enter");

            terminal.shows("exit_code"); // the question also contains "gone"
            assertThat(doomed).doesNotExist();
        }
    }

    @Test
    void aDeniedCommandDoesNotRun() throws Exception {
        Path spared = Files.createDirectories(folder.resolve("spared/deep")).getParent();
        try (Tmux terminal = Tmux.open(folder)) {
            terminal.talaria("call", "terminal", "{\"command\": \"rm -rf spared\"}");
            terminal.shows("[d]eny");
            terminal.type("d");
            terminal.press("Enter");
            terminal.shows("Denied");
            terminal.type("echo status $?");
            terminal.press("Enter");

            terminal.shows("status 4");
            assertThat(spared).exists();
        }
    }

    @Test
    void aPersonTypesIntoAProcessAndLeavesIt() throws Exception {
        try (Tmux terminal = Tmux.open(folder)) {
            terminal.talaria(
                    "call",
                    "--approvals",
                    "allow",
                    "terminal",
                    "{\"command\": \"python3 -q\", \"background\": true, \"pty\": true,"
                            + " \"persist_on_release\": true}");
            Matcher id = terminal.shows(Pattern.compile("(proc_[0-9a-f]{12})[^}]*\\}\n\\$ ")); // the shell is back
            terminal.type("stty susp ^B; stty size");
            terminal.press("Enter");
            Matcher size = terminal.shows(Pattern.compile("\n([0-9]+) ([0-9]+)\n"));
            terminal.talaria("attach", id.group(1));
            terminal.shows(">>>");
            terminal.type("import os; tuple(os.get_terminal_size())");
            terminal.press("Enter");
            terminal.shows("(" + size.group(2) + ", " + size.group(1) + ")");
            terminal.type("print(6 * 7)");
            terminal.press("Enter");
            terminal.shows("\n42\n");
            terminal.press("C-]");
            terminal.shows("[left " + id.group(1) + ", which runs on]\n$ "); // the shell is back
            terminal.type("stty -a");
            terminal.press("Enter");
            terminal.shows("susp = ^B;"); // as it was
            terminal.talaria("ps");
            terminal.shows("running");
            terminal.talaria("kill", id.group(1));
            terminal.shows("Ended: " + id.group(1));
        }
    }

    private Tmux sudoUser() throws Exception {
        assumeTrue(Testbed.value("SUDO_PASSWORD").isPresent(), () -> Testbed.whyMissing("sudo"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        return Tmux.open(folder);
    }

    private static String[] asSudoUser(String... words) {
        String user = Testbed.value("SUDO_USER").orElseThrow();
        return Stream.concat(
                        Stream.of(
                                "sh",
                                "--backend",
                                "prefix",
                                "--backend-option",
                                "prefix=setpriv --reuid " + user + " --regid " + user + " --init-groups"
                                        + " env PATH=/usr/local/bin:/usr/bin:/bin"),
                        Stream.of(words))
                .toArray(String[]::new);
    }

    @Test
    void thePasswordOfSudoIsTypedUnseenAndOnce() throws Exception {
        String password = Testbed.value("SUDO_PASSWORD").orElse("");
        try (Tmux terminal = sudoUser()) {
            terminal.talaria(asSudoUser());
            terminal.shows("talaria$");
            terminal.type("sudo id -u | sed s/^/uid=/");
            terminal.press("Enter");
            terminal.shows("Password (Return alone");
            terminal.type("mistyped");
            terminal.press("Enter");
            terminal.shows("that was wrong");
            terminal.type(password);
            terminal.press("Enter");
            terminal.shows("uid=0");
            terminal.type("sudo id -un | sed s/^/name=/");
            terminal.press("Enter");

            String screen = terminal.shows("name=root");
            assertThat(screen).doesNotContain(password, "mistyped");
            assertThat(screen.split("Return alone", -1)).as("asked for twice").hasSize(3);
        }
    }

    @Test
    void ctrlCAtThePasswordLeavesAVisibleTerminal() throws Exception {
        try (Tmux terminal = sudoUser()) {
            terminal.talaria(asSudoUser("--", "sudo id -u"));
            terminal.shows("Password (Return alone");
            terminal.type("half a pass");
            terminal.press("C-c");
            terminal.shows("nterrupt");
            terminal.shows("No password was given.");
            terminal.type("echo status $?");
            terminal.press("Enter");

            assertThat(terminal.shows("status 130")).contains("echo status $?").doesNotContain("half a pass");
        }
    }
}
