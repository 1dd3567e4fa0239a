package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.talaria.engine.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Processes that a one-shot `talaria call` has left running, and the commands that look after them.
final class ProcessCommandsTest {
    @TempDir
    private Path home;

    private String start(String command) {
        Map<String, Object> arguments = Map.of("command", command, "background", true, "persist_on_release", true);
        String printed = new InProcess(home)
                .run("call", "terminal", Json.text(arguments))
                .out();
        return String.valueOf(Json.object(printed).get("session_id"));
    }

    private Map<?, ?> only() {
        List<?> all = (List<?>)
                Json.object(new InProcess(home).run("ps", "--json").out()).get("processes");
        assertThat(all).hasSize(1);
        return (Map<?, ?>) all.getFirst();
    }

    @Test
    void oneIsListedShownAndKilled() throws Exception {
        String id = start("echo hello; sleep 600");

        assertThat((Object) only().get("status")).isEqualTo("running");
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(new InProcess(home)
                                .run("logs", id.substring(5, 12))
                                .out())
                        .isEqualTo("hello\n"));
        assertThat(new InProcess(home).run("kill", id).exit()).isZero();
        assertThat((Object) only().get("exit_code")).isEqualTo(-15);
        assertThat(new InProcess(home).run("kill", id).exit()).isEqualTo(1);
    }

    @Test
    void aPersonTypesIntoItAndSeesItsEnd() throws Exception {
        String id = start("echo name?; read name; echo hello $name; exit 3");

        InProcess talaria = new InProcess(home);
        talaria.stdin("Ada\n");
        var attached = talaria.run("attach", id);

        assertThat(attached.out()).isEqualTo("name?\nhello Ada\n");
        assertThat(attached.exit()).isEqualTo(3);
    }

    @Test
    void aChordLeavesAndTheProcessGoesOn() throws Exception {
        String id = start("read name; echo hello $name; sleep 600");

        InProcess talaria = new InProcess(home);
        talaria.stdin("Ada\n\u001dnever sent\n");
        assertThat(talaria.run("attach", id).exit()).isZero();

        assertThat((Object) only().get("status")).isEqualTo("running");
        assertThat(new InProcess(home).run("kill", id).exit()).isZero();
    }

    @Test
    void anUnknownIdIsTold() throws Exception {
        assertThat(new InProcess(home).run("logs", "proc_0000").exit()).isEqualTo(2);
        assertThat(new InProcess(home).run("kill", "0").err()).contains("talaria ps");
    }
}
