package dev.talaria.engine.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A process of a dead Talaria")
final class OrphansTest {
    private static final String WAIT = "sleep 60; exit 0"; // a shell that stays, with its words

    private final List<Process> started = new ArrayList<>();
    private String word = "";

    @BeforeEach
    void aMarkOfTheDead() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        List<String> parts = List.of(ProcessMark.fresh().split("\\."));
        word = ProcessMark.VARIABLE + "=" + parts.getFirst() + "." + dead.pid() + ".1." + parts.getLast();
    }

    @AfterEach
    void endAll() {
        started.forEach(process -> {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        });
    }

    private Process start(List<String> before, String... words) throws Exception {
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).start();
        started.add(process);
        return process;
    }

    @Test
    @DisplayName("is ended if it carries the mark, and not if it only names the mark")
    void namesAreNoMarks() throws Exception {
        Process marked = start(List.of("env", word), "sh", "-c", WAIT);
        Process own = start(List.of(), "sh", "-c", WAIT + "; # zygote(socket.socket(fileno=3),files)", word);
        Process looking = start(List.of(), "sh", "-c", WAIT, "grep", "-r", word, "/");
        Process script = start(List.of(), "sh", "-c", WAIT, word);
        Process quoting = start(List.of("env", "NOTE=see " + word), "sh", "-c", WAIT);

        Orphans.end();

        await().atMost(Duration.ofSeconds(60)).until(() -> !marked.isAlive());
        await().atMost(Duration.ofSeconds(60)).until(() -> !own.isAlive());
        assertThat(List.of(looking, script, quoting)).allMatch(Process::isAlive);
    }
}
