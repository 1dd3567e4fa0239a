package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.json.Json;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands for processes that a one-shot `talaria call` has left running.
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
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(new InProcess(home)
                                .run("logs", id.substring(5, 12))
                                .out())
                        .isEqualTo("hello\n"));
        assertThat(new InProcess(home).run("sandboxes").out()).contains("(kept for " + id + ")");
        assertThat(new InProcess(home).run("kill", id).exit()).isZero();
        assertThat((Object) only().get("exit_code")).isEqualTo(-15);
        assertThat(new InProcess(home).run("kill", id).exit()).isEqualTo(1);
    }

    @Test
    void aPersonTypesIntoItAndSeesItsEnd() throws Exception {
        String id = start("echo name?; read name; echo hello $name; exit 3");

        try (PipedOutputStream person = new PipedOutputStream();
                PipedInputStream stdin = new PipedInputStream(person)) {
            person.write("Ada\n".getBytes(StandardCharsets.UTF_8));
            person.flush();
            var attached = new InProcess(home).stdin(stdin).run("attach", id);

            assertThat(attached.out()).isEqualTo("name?\nhello Ada\n");
            assertThat(attached.exit()).isEqualTo(3);
        }
    }

    @Test
    void theEndOfStdinLeavesAndTheProcessGoesOn() throws Exception {
        String id = start("read name; echo hello $name; sleep 600");

        assertThat(new InProcess(home).stdin("Ada\n").run("attach", id).exit()).isZero();

        shows(id, "hello Ada\n");
        assertThat(new InProcess(home).run("kill", id).exit()).isZero();
    }

    @Test
    void followingBeginsWithTheLinesAskedFor() throws Exception {
        String id = start("echo 1; echo 2; echo 3; read go; echo 4");
        shows(id, "1\n2\n3\n");
        try (CliProcess logs = CliProcess.start(home, CliProcess.command("logs", "-f", "--lines", "1", "--json", id))) {
            logs.awaitOut("3");
            new InProcess(home).stdin("\n").run("attach", id);

            List<String> lines = logs.end().out().lines().toList();
            assertThat(lines).startsWith("{\"line\":\"3\"}", "{\"line\":\"4\"}").hasSize(3);
            assertThat(Json.object(lines.getLast())).containsEntry("status", "exited");
        }
    }

    @Test
    void theProcessOfARunningTalariaIsSeenAndEnded() throws Exception {
        InProcess talaria = new InProcess(home);
        try (Engine engine =
                Engine.builder().settings(Settings.defaults(talaria.folders())).build()) {
            String id = String.valueOf(engine.call(ToolCall.of(
                            "terminal", Map.of("command", "echo hello; sleep 600", "background", true, "notify", true)))
                    .value()
                    .get("session_id"));
            shows(id, "hello\n");

            long me = ProcessHandle.current().pid();
            assertThat(talaria.run("ps").out()).contains(id, "running", "(talaria " + me + ")");
            assertThat((Object) only().get("persist_on_release")).isEqualTo(false);
            assertThat(talaria.run("attach", id).err()).contains("persist_on_release");
            assertThat(talaria.run("kill", id.substring(5, 10)).exit()).isZero();
            assertThat(talaria.run("kill", id).exit()).isEqualTo(1);
            assertThat(engine.call(ToolCall.of("process", Map.of("action", "poll", "session_id", id)))
                            .value())
                    .containsEntry("status", "exited")
                    .containsEntry("termination_source", "user");
        }
        assertThat(talaria.run("ps").out()).contains("none");
    }

    private void shows(String id, String text) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() ->
                        assertThat(new InProcess(home).run("logs", id).out()).isEqualTo(text));
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
