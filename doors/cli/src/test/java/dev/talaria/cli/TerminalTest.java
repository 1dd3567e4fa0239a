package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.talaria.testkit.Testbed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The output on a real terminal, made by `script` of util-linux.
final class TerminalTest {
    private static final String ERASE = "\r\033[K";

    @TempDir
    private Path folder;

    @Test
    void outputIsLiveAndTheProgressLineIsErased() throws Exception {
        String seen = onATerminal("", """
                import time, sys
                from hermes_tools import terminal
                print("first", flush=True)
                terminal("until grep -qas 'waiting for terminal' %s; do sleep 0.1; done")
                print("aside", file=sys.stderr)
                print("last")
                """.formatted(folder.resolve("log")));

        assertThat(seen).contains("first", "waiting for terminal", "aside", "last");
        assertThat(seen.indexOf("first")).isLessThan(seen.indexOf("waiting for terminal"));
        assertThat(seen.substring(seen.lastIndexOf("waiting for"))).contains(ERASE);
        assertThat(seen.split("first", -1)).as("printed once").hasSize(2);
        assertThat(seen).contains("\033[2m");
    }

    @Test
    void coloursCanBeTurnedOff() throws Exception {
        String seen = onATerminal("NO_COLOR=1", """
                import time
                while "waiting for the script" not in open("%s", errors="replace").read():
                    time.sleep(0.1)
                raise SystemExit(3)
                """.formatted(folder.resolve("log")));

        assertThat(seen).contains("waiting for the script", "talaria: Script exited with code 3");
        assertThat(seen).doesNotContainPattern("\033\\[[0-9]*m");
    }

    @Test
    void noScriptAndNoCommandCanOpenTheTerminal() throws Exception {
        String seen = onATerminal("", """
                import os
                from hermes_tools import terminal
                try:
                    os.open("/dev/tty", os.O_RDWR)
                    print("script: OPEN")
                except OSError as problem:
                    print("script: closed", problem.errno)
                print(terminal("(echo x > /dev/tty) 2>/dev/null && echo command: OPEN || echo command: closed")["output"])
                """);

        assertThat(seen).contains("script: closed", "command: closed").doesNotContain("OPEN");
    }

    @Test
    void theTerminalIsAskedAndTheProgressLineKeepsAway() throws Exception {
        Path doomed = Files.createDirectories(folder.resolve("doomed/deep"));

        String seen = answering(List.of("x", "o"), """
                from hermes_tools import terminal
                print(terminal("rm -rf doomed; echo gone"))
                print(terminal("rm -rf doomed")["error"])
                """);

        assertThat(doomed).doesNotExist();
        assertThat(seen)
                .contains("Talaria needs your approval: ", "    rm -rf doomed; echo gone")
                .contains("It deletes folders with all they hold.")
                .contains(
                        "[o]nce",
                        "this call alone",
                        "[s]ession",
                        "this very command in " + folder.toRealPath() + ", until the session ends",
                        "[a]lways",
                        "this very command in " + folder.toRealPath() + ", from now on",
                        "[ak] always-kind",
                        "every recursive delete, anywhere, from now on",
                        "[d]eny")
                .contains("Your answer (no answer within ", "Type one of the letters")
                .contains("Allowed this time.", "gone", "Denied.", "Denied by the user");
        assertThat(List.of("[o]nce", "[s]ession", "[a]lways", "[sk]", "[ak]", "[d]eny").stream()
                        .map(seen::indexOf))
                .as("narrowest first")
                .isSorted();
        String prompt = seen.substring(seen.indexOf("[o]nce"), seen.indexOf("Allowed this time."));
        assertThat(prompt).doesNotContain("waiting for");
    }

    @Test
    void aSessionIsAskedOnceEvenAboutSeveralCommandsAtATime() throws Exception {
        String seen = answering(List.of("sk"), """
                from concurrent.futures import ThreadPoolExecutor
                from hermes_tools import terminal
                with ThreadPoolExecutor(4) as pool:
                    print(list(pool.map(lambda n: terminal("rm -rf nothing-%d" % n)["exit_code"], range(4))))
                """);

        assertThat(seen).contains("[0, 0, 0, 0]");
        assertThat(seen.split("needs your approval", -1)).hasSize(2);
    }

    @Test
    void sessionIsThisVeryCommandAlone() throws Exception {
        String seen = answering(List.of("s", "d"), """
                from hermes_tools import terminal
                print([terminal("rm -rf %s" % name)["exit_code"] for name in ("x", "x", "y")])
                """);

        assertThat(seen).contains("[0, 0, -1]");
        assertThat(seen.split("needs your approval", -1)).hasSize(3);
    }

    @Test
    void aPersonWhoSaysNoIsNotToldWhatAModelIsTold() throws Exception {
        String seen = answering(List.of("d"), List.of("sh", "--cwd", folder.toString(), "--", "rm -rf x"));

        assertThat(seen)
                .contains("Denied.", "talaria: Denied by the user: It deletes folders")
                .doesNotContain("Do not retry", "tell the user");
    }

    /// Returns the terminal's output, with each prompt answered in turn, and further prompts with Return.
    private String answering(List<String> answers, String code) throws Exception {
        Path file = Files.writeString(folder.resolve("code.py"), code);
        return answering(answers, List.of("run", "--cwd", folder.toString(), file.toString()));
    }

    private String answering(List<String> answers, List<String> words) throws Exception {
        Optional<String> script = Testbed.value("SCRIPT");
        assumeTrue(script.isPresent(), () -> Testbed.whyMissing("script"));
        Path log = folder.resolve("log");
        String command = CliProcess.command(words.toArray(String[]::new)).stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
        List<String> whole = List.of(script.orElseThrow(), "-qefc", "TERM=xterm " + command, log.toString());
        try (CliProcess talaria = CliProcess.start(folder, whole)) {
            int prompts = 0;
            while (ProcessHandle.of(talaria.pid()).isPresent()) {
                Thread.sleep(50);
                String shown = Files.exists(log) ? Files.readString(log) : "";
                int now = shown.split("is a no\\): ", -1).length - 1;
                if (now > prompts) {
                    String answer = prompts < answers.size() ? answers.get(prompts) : "";
                    prompts = now;
                    talaria.stdin().write((answer + "\n").getBytes(StandardCharsets.UTF_8));
                    talaria.stdin().flush();
                }
            }
            return talaria.end().out();
        }
    }

    /// Returns the whole output of the CLI to the terminal.
    @Test
    void anImageThatIsPulledIsShown() throws Exception {
        Optional<String> image = Testbed.value("DOCKER_IMAGE");
        assumeTrue(image.isPresent(), () -> Testbed.whyMissing("docker"));
        Path client = Files.writeString(folder.resolve("docker"), """
                #!/bin/sh
                here=$(dirname "$0")
                case $1 in
                run) [ -e "$here/pulled" ] || { echo "No such image: $*" >&2; exit 125; } ;;
                pull) echo '4f4f: Pull complete'
                    until grep -qas 'waiting for the image [^ ]*: 4f4f: Pull complete' "$here/log"; do sleep 0.1; done
                    : > "$here/pulled"; exit ;;
                esac
                exec docker "$@"
                """);
        Files.setPosixFilePermissions(client, PosixFilePermissions.fromString("rwx------"));

        String seen = onATerminal(
                "TALARIA_BACKEND=docker TALARIA_BACKENDS_DOCKER_BINARY=" + client + " TALARIA_BACKENDS_DOCKER_IMAGE="
                        + image.get(),
                "import time; time.sleep(3); print('done')");

        assertThat(seen).contains("waiting for the image " + image.get() + ": 4f4f: Pull complete", "done");
        assertThat(seen.substring(seen.lastIndexOf("4f4f"))).contains("waiting for the script");
    }

    private String onATerminal(String variables, String code) throws Exception {
        Optional<String> script = Testbed.value("SCRIPT");
        assumeTrue(script.isPresent(), () -> Testbed.whyMissing("script"));
        Path file = Files.writeString(folder.resolve("code.py"), code);
        String command = CliProcess.command("run", file.toString()).stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
        List<String> whole = List.of(
                script.orElseThrow(),
                "-qefc",
                "TERM=xterm " + variables + " " + command,
                folder.resolve("log").toString());
        try (CliProcess talaria = CliProcess.start(folder, whole)) {
            return talaria.end().out();
        }
    }
}
