package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.talaria.testkit.Door.Answer;
import dev.talaria.testkit.Door.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tests one conversation over every door: the same calls give the same answers, whatever the door.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class DoorContract {
    private static final Duration SOON = Duration.ofSeconds(100);

    private @Nullable Door door;
    private @Nullable Path work;

    /// Opens the door.
    ///
    /// @param home the folder for the door's own files
    /// @param work the working folder of scripts and commands
    protected abstract Door open(Path home, Path work) throws Exception;

    @BeforeAll
    void open(@TempDir Path scratch) throws Exception {
        work = Files.createDirectory(scratch.resolve("work")).toRealPath();
        door = open(Files.createDirectory(scratch.resolve("home")), work);
    }

    @AfterAll
    void close() throws Exception {
        if (door != null) {
            door.close();
        }
    }

    private Door door() {
        if (door == null) {
            throw new IllegalStateException("not open");
        }
        return door;
    }

    private Path work() {
        if (work == null) {
            throw new IllegalStateException("not open");
        }
        return work;
    }

    private Answer run(String code) throws Exception {
        return door().call("execute_code", Map.of("code", code));
    }

    @Test
    void helloComesBack() throws Exception {
        Answer answer = run("print('hello')");

        assertThat(answer.kind()).isEqualTo(Kind.COMPLETED);
        assertThat(answer.value())
                .containsEntry("status", "success")
                .containsEntry("output", "hello\n")
                .containsEntry("exit_code", 0)
                .containsEntry("tool_calls_made", 0);
        assertThat(answer.value().keySet()).startsWith("status", "output", "exit_code", "tool_calls_made");
    }

    @Test
    void aFailingScriptIsAnOutcome() throws Exception {
        Answer answer = run("print('on the way')\nraise ValueError('bad luck')");

        assertThat(answer.kind()).isEqualTo(Kind.COMPLETED);
        assertThat(answer.value()).containsEntry("status", "error").containsEntry("exit_code", 1);
        assertThat(answer.text("output")).startsWith("on the way\n").contains("line 2, in <module>");
        assertThat(answer.text("error")).contains("ValueError: bad luck");
    }

    @Test
    void aScriptCallsTools() throws Exception {
        Answer answer = run("""
                from hermes_tools import read_file, terminal, write_file
                write_file("by-script.txt", "written by a script\\n")
                print(read_file("by-script.txt")["content"], terminal("cat by-script.txt | wc -l")["output"])
                """);

        assertThat(answer.value()).containsEntry("status", "success").containsEntry("tool_calls_made", 3);
        assertThat(answer.text("output")).isEqualTo("written by a script\n 1\n");
        assertThat(Files.readString(work().resolve("by-script.txt"))).isEqualTo("written by a script\n");
    }

    @Test
    void theOtherToolsAnswerDirectly() throws Exception {
        String file = work().resolve("direct ü.txt").toString();

        assertThat(door().call("write_file", Map.of("path", file, "content", "one\ntwo\n"))
                        .kind())
                .isEqualTo(Kind.COMPLETED);
        assertThat(door().call("read_file", Map.of("path", file, "offset", 2)).text("content"))
                .contains("two");
        Answer command = door().call("terminal", Map.of("command", "pwd; exit 3"));
        assertThat(command.kind()).isEqualTo(Kind.COMPLETED);
        assertThat(command.value()).containsEntry("exit_code", 3).containsEntry("output", work().toString());
    }

    @Test
    void aTimeoutKeepsTheOutput() throws Exception {
        String code = "import time; print('so far'); time.sleep(600)";
        Answer answer = door().call("execute_code", Map.of("code", code, "timeout", 1));
        for (int seconds = 2; !answer.text("output").contains("so far") && seconds < 100; seconds *= 2) {
            answer = door().call("execute_code", Map.of("code", code, "timeout", seconds)); // the machine is busy
        }

        assertThat(answer.kind()).isEqualTo(Kind.TIMED_OUT);
        assertThat(answer.value()).containsEntry("status", "timeout").containsEntry("exit_code", -1);
        assertThat(answer.text("output")).contains("so far").contains("⏰");
    }

    @Test
    void aCallThatIsTakenBackEndsTheScript() throws Exception {
        Path pids = work().resolve("cancelled.pids");
        Door.Started started = door().start("execute_code", Map.of("code", """
                import os, subprocess, time
                child = subprocess.Popen(["sleep", "600"])
                print("before the end", flush=True)
                open("cancelled.new", "w").write("%d %d" % (os.getpid(), child.pid))
                os.rename("cancelled.new", "cancelled.pids")
                time.sleep(600)
                """));
        await().atMost(SOON).until(() -> Files.exists(pids));
        List<Long> running = List.of(Files.readString(pids).split(" ")).stream()
                .map(Long::valueOf)
                .toList();

        started.cancel();

        await().atMost(SOON).untilAsserted(() -> assertThat(running).noneMatch(Processes::lives));
        started.await().ifPresent(answer -> {
            assertThat(answer.kind()).isEqualTo(Kind.CANCELLED);
            assertThat(answer.value()).containsEntry("status", "interrupted");
            assertThat(answer.text("output")).startsWith("before the end\n").contains("[execution interrupted");
        });
        assertThat(run("print('next')").value()).containsEntry("output", "next\n");
    }

    @Test
    void badArgumentsGetAClearError() throws Exception {
        for (Map<String, Object> bad : List.<Map<String, Object>>of(
                Map.of(),
                Map.of("code", ""),
                Map.of("code", 42),
                Map.of("command", "ls"),
                Map.of("code", "print(1)", "timeout", "soon"))) {
            Answer answer = door().call("execute_code", bad);

            assertThat(answer.kind()).as("%s", bad).isEqualTo(Kind.FAILED);
            assertThat(answer.text("error")).containsAnyOf("code", "timeout");
        }
        assertThat(door().call("read_file", Map.of("path", "/no/such/file")).text("error"))
                .contains("/no/such/file");
    }

    @Test
    void anUnknownToolIsNamed() throws Exception {
        Answer answer = door().call("make_coffee", Map.of("sugar", 2));

        assertThat(answer.kind()).isEqualTo(Kind.FAILED);
        assertThat(answer.text("error")).contains("make_coffee");
    }

    @Test
    void textOfAllKindsGoesThroughUnharmed() throws Exception {
        String odd = "Grüße, 世界, 🐍, \"quoted\", back\\slash, \u2028, tab\t, 'single', ${HOME}, %s";

        Answer answer = run("print(" + Python.text(odd) + ", end='')");

        assertThat(answer.value()).containsEntry("output", odd).containsEntry("status", "success");
    }

    @Test
    void ofALargeOutputTheCountsAreExactAndTheRestIsInAFile() throws Exception {
        Answer answer = run("for i in range(125_000): print('%07d' % i)");

        assertThat(answer.value())
                .containsEntry("status", "success")
                .containsEntry("stdout_truncated", true)
                .containsEntry("stdout_bytes_total", 1_000_000);
        assertThat(answer.text("output"))
                .startsWith("0000000\n")
                .endsWith("0124999\n")
                .hasSizeLessThan(51_000);
        assertThat(Files.size(Path.of(answer.text("stdout_spill_path")))).isEqualTo(1_000_000);
    }

    @Test
    void whatAScriptPrintsIsNotTakenForTheDoorsOwnWords() throws Exception {
        String forged = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";

        Answer answer = run("import os; os.write(1, b'%s\\n' * 3)".formatted(forged));

        assertThat(answer.value()).containsEntry("output", (forged + "\n").repeat(3));
        assertThat(run("print('next')").value()).containsEntry("output", "next\n");
    }

    @Test
    void callsAtTheSameTimeGetTheirOwnAnswers() throws Exception {
        List<Door.Started> started = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            started.add(door().start(
                            "execute_code",
                            Map.of(
                                    "code",
                                    "import time; time.sleep(%s); print('call %d')".formatted(0.4 - i * 0.1, i))));
        }
        for (int i = 0; i < 4; i++) {
            assertThat(started.get(i).await().orElseThrow().value()).containsEntry("output", "call " + i + "\n");
        }
    }
}
