package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a person does at a real terminal: types, reads the screen, answers, interrupts.
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

            terminal.shows("exit_code"); // "gone" is in the question, too
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
            Matcher id = Pattern.compile("proc_[0-9a-f]{12}").matcher(terminal.shows("Background process started"));
            assertThat(id.find()).isTrue();
            terminal.type("stty susp ^B; stty size");
            terminal.press("Enter");
            Matcher size = Pattern.compile("\n([0-9]+) ([0-9]+)\n").matcher(terminal.shows("120\n"));
            assertThat(size.find()).isTrue();
            terminal.talaria("attach", id.group());
            terminal.shows(">>>");
            terminal.type("import os; tuple(os.get_terminal_size())");
            terminal.press("Enter");
            terminal.shows("(" + size.group(2) + ", " + size.group(1) + ")");
            terminal.type("print(6 * 7)");
            terminal.press("Enter");
            terminal.shows("\n42\n");
            terminal.press("C-]");
            terminal.type("echo left");
            terminal.press("Enter");
            terminal.shows("left\n$ "); // the shell is back
            terminal.type("stty -a");
            terminal.press("Enter");
            terminal.shows("susp = ^B;"); // as it was
            terminal.talaria("ps");
            terminal.shows("running");
            terminal.talaria("kill", id.group());
            terminal.shows("Ended: " + id.group());
        }
    }
}
