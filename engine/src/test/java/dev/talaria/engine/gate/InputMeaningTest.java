package dev.talaria.engine.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.gate.reading.Reading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InputMeaningTest {
    private static InputMeaning to(String command) {
        return InputMeaning.to(Reading.of(command));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sh",
                "exec bash -i",
                "cd /tmp && /bin/bash",
                "env X=1 zsh -l",
                "nohup bash",
                "ssh box",
                "sudo -i",
                "sudo -s",
                "docker exec -it box bash",
                "bash -s",
                "cat | sh",
                "bash /dev/stdin",
                "source /dev/stdin",
                "while read -r x; do eval \"$x\"; done",
                "while read x; do $x; done",
                "xargs -I{} sh -c '{}'",
                "parallel",
                "bash +e",
                "bash -e",
                "bash -o errexit",
                "bash -euo pipefail",
                "bash --rcfile x",
                "bash --norc -i",
                "bash -x -s a b",
                "$SHELL",
                "csh",
                "tcsh -f",
                "unshare -r",
                "newgrp docker",
                "bash /proc/self/fd/0",
                "source /proc/self/fd/0",
                "bash > log",
                "awk '{ system($0) }'",
                "at now"
            })
    void shells(String command) {
        assertThat(to(command)).isEqualTo(InputMeaning.SHELL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "python3",
                "python3 -q -i",
                "exec python3.11",
                "node",
                "python3 -i tool.py",
                "irb",
                "sqlite3",
                "psql app",
                "sqlite3 app.db",
                "vim notes.txt",
                "python3 /dev/stdin",
                "python3 -"
            })
    void interpreters(String command) {
        assertThat(to(command)).isEqualTo(InputMeaning.INTERPRETER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "python3 server.py",
                "npm run dev",
                "bash build.sh",
                "bash -e build.sh",
                "bash -o errexit build.sh",
                "bash -ec 'sleep 5'",
                "cat",
                "make -j4",
                "node server.js",
                "sh -c 'sleep 5'",
                "psql -c 'select 1' app",
                "xargs -n1 wc -l",
                "awk '{ print $1 }'"
            })
    void others(String command) {
        assertThat(to(command)).isEqualTo(InputMeaning.NEITHER);
    }

    @Test
    void editingKeysAreObeyed() {
        assertThat(TypedKeys.of("rmx\u007f -rf /\r", true).text()).isEqualTo("rm -rf /\n");
        assertThat(TypedKeys.of("echo\u0015ls\n", true).text()).isEqualTo("ls\n");
        assertThat(TypedKeys.of("a bc\u0017d", true).text()).isEqualTo("a d");
        assertThat(TypedKeys.of("/\u0015rm -rf \u0019\n", true).text()).isEqualTo("rm -rf /\n");
        assertThat(TypedKeys.of("rm -rf /et\t\n", true).unclear()).isTrue();
        assertThat(TypedKeys.of("\tindented\n", true).unclear()).isFalse();
        assertThat(TypedKeys.of("a\tb\n", false).unclear()).isFalse();
        assertThat(TypedKeys.of("ls", true).unclear()).isFalse();
        assertThat(TypedKeys.of("\u001b[A\n", true).unclear()).isTrue();
    }
}
