package dev.talaria.engine.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.decide.reading.Reading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ListeningTest {
    private static Listening to(String command) {
        return Listening.to(Reading.of(command));
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
                "bash -s"
            })
    void shells(String command) {
        assertThat(to(command)).isEqualTo(Listening.SHELL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"python3", "python3 -q -i", "exec python3.11", "node", "python3 -i tool.py", "irb", "sqlite3"})
    void interpreters(String command) {
        assertThat(to(command)).isEqualTo(Listening.INTERPRETER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "python3 server.py",
                "npm run dev",
                "bash build.sh",
                "cat",
                "make -j4",
                "node server.js",
                "sh -c 'sleep 5'"
            })
    void others(String command) {
        assertThat(to(command)).isEqualTo(Listening.NEITHER);
    }

    @Test
    void editingKeysAreObeyed() {
        assertThat(Keys.of("rmx\u007f -rf /\r").text()).isEqualTo("rm -rf /\n");
        assertThat(Keys.of("echo\u0015ls\n").text()).isEqualTo("ls\n");
        assertThat(Keys.of("a bc\u0017d").text()).isEqualTo("a d");
        assertThat(Keys.of("ls").unclear()).isFalse();
        assertThat(Keys.of("\u001b[A\n").unclear()).isTrue();
    }
}
