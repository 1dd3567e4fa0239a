package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.talaria.api.Caller;
import dev.talaria.api.Cancellation;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Background processes: they outlive the call that starts them, take input, and are ended as a whole.
interface ProcessRuns extends ProcessSubject {
    @Test
    default void aBackgroundProcessGoesOnAfterTheCall() {
        RunResult started = begin("echo one; read line; echo got $line; exit 3", Map.of());

        assertThat(started.value().keySet()).startsWith("output", "session_id", "pid", "exit_code", "error");
        assertThat(started.value())
                .containsEntry("output", "Background process started")
                .containsEntry("exit_code", 0)
                .containsEntry("error", null);
        String id = ProcessSubject.id(started);
        assertThat(id).matches("proc_[0-9a-f]{12}");
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(process("poll", id).text("output_preview")).isEqualTo("one\n"));
        assertThat(process("poll", id).value()).containsEntry("status", "running");
        assertThat(process("submit", id, Map.of("data", "two")).value())
                .containsEntry("status", "ok")
                .containsEntry("bytes_written", 3);
        RunResult over = process("wait", id, Map.of("timeout", 100));
        assertThat(over.value())
                .containsEntry("status", "exited")
                .containsEntry("exit_code", 3)
                .containsEntry("completion_reason", "exited")
                .containsEntry("output", "one\ngot two\n");
    }

    @Test
    default void aCommandThatMayTakeTooLongIsStartedInTheBackground() {
        RunResult started = runs().call("terminal", Map.of("command", "cat; echo long; exit 4", "timeout", 700));

        assertThat(started.text("promoted_from_foreground")).contains("600 s", "700 s");
        assertThat(process("wait", ProcessSubject.id(started)).value())
                .containsEntry("exit_code", 4)
                .containsEntry("output", "long\n");
    }

    @Test
    default void aCommandThatIsNotThroughInTimeGoesOnIfItMay() {
        Map<String, Object> quick = Map.of("command", "cat; echo done; exit 5", "yield_on_timeout", true);
        assertThat(runs().call("terminal", quick).value())
                .containsEntry("output", "done")
                .containsEntry("exit_code", 5)
                .doesNotContainKey("session_id");

        RunResult yielded = yieldedAfter(1);
        for (int seconds = 2; yielded.output().isEmpty() && seconds < 100; seconds *= 2) {
            process("kill", ProcessSubject.id(yielded)); // the machine is busy
            yielded = yieldedAfter(seconds);
        }

        assertThat(yielded.value())
                .containsEntry("status", "yielded_to_background")
                .containsEntry("output", "one")
                .containsEntry("exit_code", null);
        assertThat(process("poll", ProcessSubject.id(yielded)).value()).containsEntry("status", "running");
        assertThat(process("kill", ProcessSubject.id(yielded)).value()).containsEntry("status", "killed");
    }

    private RunResult yieldedAfter(int seconds) {
        return runs().call(
                        "terminal",
                        Map.of("command", "echo one; sleep 600", "timeout", seconds, "yield_on_timeout", true));
    }

    @Test
    default void aCommandThatMayGoOnIsTheSessionsUntilThen() {
        Caller session = Runs.freshSession();
        Function<Map<String, Object>, RunResult> terminal =
                arguments -> new RunResult(runs().engine().call(ToolCall.of(session, "terminal", arguments)));
        Map<String, Object> moved = terminal.apply(
                        Map.of("command", "cd / && export KEPT=yes", "yield_on_timeout", true))
                .value();
        assertThat(moved).containsEntry("exit_code", 0);
        assertThat(moved.containsKey("cwd")).isEqualTo(has(Behaviour.PYTHON)); // without Python, nothing persists
        assertThat(terminal.apply(Map.of("command", "grep nothing /dev/null", "yield_on_timeout", true))
                        .value())
                .containsKey("exit_code_meaning");
        String go = runs().writable() + "/go-" + session.session();
        String command = "cd /tmp; export KEPT=no; until [ -e " + go + " ]; do sleep 0.1; done; echo moved";
        RunResult yielded = terminal.apply(Map.of("command", command, "timeout", 1, "yield_on_timeout", true));
        String id = ProcessSubject.id(yielded);
        assertThat(terminal.apply(Map.of("command", "touch " + go)).exitCode()).isZero();
        assertThat(new RunResult(runs().engine()
                                .call(ToolCall.of(
                                        session,
                                        "process",
                                        Map.of("action", "wait", "session_id", id, "timeout", 100))))
                        .value())
                .containsEntry("exit_code", 0)
                .containsEntry("output", "moved\n");

        assertThat(terminal.apply(Map.of("command", "echo $KEPT $PWD")).text("output"))
                .matches(has(Behaviour.PYTHON) ? "yes /" : "(?!no|.*/tmp$).*");
    }

    @Test
    default void aProcessBeginsWithWhatItsSessionHas() {
        if (!writes()) {
            return;
        }
        Caller session = Runs.freshSession();
        Function<Map<String, Object>, RunResult> terminal =
                arguments -> new RunResult(runs().engine().call(ToolCall.of(session, "terminal", arguments)));
        var _ = terminal.apply(Map.of("command", "mkdir -p sub && cd sub && export FROM=session"));

        String id = ProcessSubject.id(
                terminal.apply(Map.of("command", "echo $FROM ${PWD##*/}; cd /; FROM=x", "background", true)));

        RunResult over = new RunResult(runs().engine()
                .call(ToolCall.of(session, "process", Map.of("action", "wait", "session_id", id, "timeout", 100))));
        if (!has(Behaviour.PYTHON)) {
            assertThat(over.text("output")).doesNotContain("session").doesNotContain("sub");
            return;
        }
        assertThat(over.text("output")).isEqualTo("session sub\n");
        assertThat(new RunResult(runs().engine().call(ToolCall.of(session, "process", Map.of("action", "list"))))
                        .value()
                        .toString())
                .contains("/sub,")
                .contains("owner_task_id=" + session.session())
                .containsPattern("started_at=[0-9T:-]{19}([+-][0-9:]+|Z),")
                .containsPattern("exited_at=[0-9T:-]{19}([+-][0-9:]+|Z)[,}]");
        assertThat(terminal.apply(Map.of("command", "echo $FROM ${PWD##*/}")).text("output"))
                .isEqualTo("session sub");
    }

    @Test
    default void anIdMayBeShortened() {
        String id = ProcessSubject.id(begin("sleep 600", Map.of()));

        assertThat(process("poll", id.substring(0, 10)).text("session_id")).isEqualTo(id);
        assertThat(process("poll", id.substring(5, 10)).text("session_id")).isEqualTo(id);
        assertThat(process("poll", id.substring(0, 7)).value()).containsEntry("status", "not_found");
        assertThat(process("kill", id).value()).containsEntry("status", "killed");
    }

    @Test
    default void aKillEndsTheWholeTree() {
        String id = ProcessSubject.id(begin(
                "cd " + runs().writable()
                        + "; sleep 601 & echo $! > tree1; (setsid sleep 602 & echo $! > tree2); trap '' TERM; echo ready; wait; sleep 603",
                Map.of()));
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(process("poll", id).text("output_preview")).contains("ready"));
        List<Long> pids = runs().call("terminal", Map.of("command", "cat tree1 tree2", "workdir", runs().writable()))
                .output()
                .lines()
                .map(Long::valueOf)
                .toList();
        assertThat(runs().living(pids)).hasSize(2);

        RunResult killed = process("kill", id);

        assertThat(killed.value())
                .containsEntry("status", "killed")
                .containsEntry("exit_code", -15)
                .containsEntry("completion_reason", "killed")
                .containsEntry("termination_source", "process.kill");
        assertThat(runs().living(pids)).isEmpty();
        assertThat(process("kill", id).value()).containsEntry("status", "already_exited");
        assertThat(process("poll", id).value()).containsEntry("exit_code", -15);
    }

    @Test
    default void aKilledProcessThatExitsWithZeroIsShownAsKilled() {
        String id = ProcessSubject.id(begin("trap 'exit 0' TERM; echo ready; while :; do sleep 0.05; done", Map.of()));
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(process("poll", id).text("output_preview")).contains("ready"));

        assertThat(process("kill", id).value()).containsEntry("exit_code", -15);
    }

    @Test
    default void aForeignSignalIsNoCleanExit() {
        String id = ProcessSubject.id(begin("kill -9 $$", Map.of()));

        assertThat(process("wait", id).value()).containsEntry("exit_code", 137).containsEntry("signal", 9);
    }

    @Test
    default void inputCanBeClosed() {
        String id = ProcessSubject.id(begin("cat; echo over", Map.of()));

        assertThat(process("write", id, Map.of("data", "gr\u00fc\u00dfe\n")).value())
                .containsEntry("bytes_written", 6);
        assertThat(process("close", id).value()).containsEntry("status", "ok");
        assertThat(process("wait", id).value())
                .containsEntry("output", "gr\u00fc\u00dfe\nover\n")
                .containsEntry("exit_code", 0);
        assertThat(process("write", id, Map.of("data", "x")).value())
                .containsEntry("status", "already_exited")
                .containsKey("error");
    }

    @Test
    default void theLogIsReadByLines() {
        String id = ProcessSubject.id(begin("seq 0 999", Map.of()));
        process("wait", id);

        assertThat(process("log", id, Map.of("limit", 2)).value())
                .containsEntry("output", "998\n999")
                .containsEntry("total_lines", 1000L);
        assertThat(process("log", id, Map.of("offset", 0, "limit", 3)).text("output"))
                .isEqualTo("0\n1\n2");
        assertThat(process("log", id, Map.of("offset", 500, "limit", 1)).text("output"))
                .isEqualTo("500");
        assertThat(process("log", id).text("output").lines()).hasSize(200);
    }

    @Test
    default void aWaitIsBoundedAndCanBeTakenBack() {
        String id = ProcessSubject.id(begin("sleep 600", Map.of()));

        assertThat(process("wait", id, Map.of("timeout", 0.2)).value())
                .containsEntry("status", "timeout")
                .containsEntry("process_running", true)
                .containsKey("timeout_note");
        Cancellation cancellation = new Cancellation();
        CompletableFuture<ToolResult> waiting = CompletableFuture.supplyAsync(() ->
                runs().engine().call(ToolCall.of("process", Map.of("action", "wait", "session_id", id)), cancellation));
        await().pollDelay(Duration.ofMillis(500)).until(() -> !waiting.isDone()); // the call has begun by then
        cancellation.cancel("the user pressed a key");
        assertThat(waiting.join()).isInstanceOf(ToolResult.Cancelled.class);
        assertThat(waiting.join().value()).containsEntry("status", "interrupted");
        assertThat(process("poll", id).value()).containsEntry("status", "running");
        process("kill", id);
    }

    @Test
    default void anotherSessionDoesNotSeeIt() {
        String id = ProcessSubject.id(begin("sleep 600", Map.of()));
        Caller other = Runs.freshSession();

        RunResult seen = new RunResult(
                runs().engine().call(ToolCall.of(other, "process", Map.of("action", "poll", "session_id", id))));

        assertThat(seen.value()).containsEntry("status", "not_found");
        assertThat(runs().engine().busy("default")).isTrue();
        assertThat(runs().engine().busy(other.session())).isFalse();
        process("kill", id);
    }

    @Test
    default void badInputIsTold() {
        assertThat(process("poll", "proc_000000000000").error()).contains("No process with ID");
        String id = ProcessSubject.id(begin("sleep 600", Map.of()));
        assertThat(process("wait", id, Map.of("timeout", -1)).error()).contains("more than 0");
        assertThat(runs().call("process", Map.of("action", "dance")).error()).contains("poll");
        assertThat(runs().call("process", Map.of("action", "kill")).error()).contains("session_id");
        process("kill", id);
        assertThat(begin("true", Map.of("notify", 7)).error()).contains("list of texts");
        assertThat(begin("true", Map.of("watch_patterns", "x")).error()).contains("list of texts");
        assertThat(begin("true", Map.of("workdir", "/no/such/folder")).error()).contains("/no/such/folder");
        assertThat(runs().call("terminal", Map.of("command", "true", "pty", true))
                        .error())
                .contains("background=true");
    }

    @Test
    default void oddNumbersAndWritesAreTold() {
        String id = ProcessSubject.id(begin("cat; echo over; sleep 600", Map.of()));
        assertThat(process("log", id, Map.of("limit", 0)).error()).contains("'limit' must be 1 or more");
        assertThat(process("log", id, Map.of("offset", -1)).error()).contains("'offset' must be 0 or more");
        assertThat(process("log", id, Map.of("offset", 1_000_000, "limit", 1e300))
                        .value())
                .containsEntry("output", "")
                .containsEntry("showing", "nothing");
        assertThat(process("log", id, Map.of("limit", "many")).error()).contains("limit");
        assertThat(process("write", id).error()).contains("'data'");
        assertThat(process("resize", id, Map.of("rows", 10)).error()).contains("pty=true");
        assertThat(process("wait", id, Map.of("timeout", 0)).error()).contains("more than 0");
        assertThat(process("close", id).value()).containsEntry("status", "ok");
        assertThat(process("write", id, Map.of("data", "x")).error()).contains("no input any more");
        assertThat(process("poll", "proc_" + "zzzz").error()).contains("No process with ID", "list");
        assertThat(process("kill", id).value()).containsEntry("status", "killed");
    }

    @Test
    default void whoKeepsAProcessMayBeKilledAndThatIsNoCleanExit() {
        if (!has(Behaviour.PYTHON)) {
            return; // nobody keeps the process there: it ends with its exec, and other tests check that
        }
        try (Engine engine = runs().another(settings -> settings)) {
            Function<Map<String, Object>, RunResult> process =
                    arguments -> new RunResult(engine.call(ToolCall.of("process", arguments)));
            for (String victim : List.of("keeper", "parent(parent(keeper))")) { // a keeper; then the relay
                String id = ProcessSubject.id(new RunResult(engine.call(
                        ToolCall.of("terminal", Map.of("command", "echo $PPID; exec sleep 600", "background", true)))));
                String keeper = await().atMost(SOON)
                        .until(
                                () -> process.apply(Map.of("action", "poll", "session_id", id))
                                        .text("output_preview")
                                        .strip(),
                                text -> !text.isEmpty());
                engine.call(ToolCall.of("execute_code", Map.of("code", """
                        import os, signal
                        def parent(pid):
                            with open(f"/proc/{pid}/stat") as f:
                                return int(f.read().rpartition(")")[2].split()[1])
                        keeper = %s
                        os.kill(%s, signal.SIGKILL)
                        """.formatted(keeper, victim))));

                assertThat(process.apply(Map.of("action", "wait", "session_id", id, "timeout", 100))
                                .value())
                        .as(victim)
                        .containsEntry("status", "lost")
                        .containsEntry("exit_code", -1)
                        .containsEntry("completion_reason", "lost");
            }
        }
    }

    @Test
    default void manyProcessesAtOnceWithKillsInTheMiddle() throws Exception {
        try (Engine engine = runs().another(settings -> settings);
                ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Map<String, Object>>> ends = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                int number = i;
                ends.add(pool.submit(() -> {
                    String tail = number % 2 == 0 ? "; sleep 600" : "; exit " + number;
                    String id = ProcessSubject.id(new RunResult(engine.call(
                            ToolCall.of("terminal", Map.of("command", "echo n" + number + tail, "background", true)))));
                    String action = number % 2 == 0 ? "kill" : "wait";
                    return engine.call(ToolCall.of("process", Map.of("action", action, "session_id", id)))
                            .value();
                }));
            }
            for (int i = 0; i < ends.size(); i++) {
                boolean killed = i % 2 == 0;
                assertThat(ends.get(i).get())
                        .containsEntry("exit_code", killed ? -15 : i)
                        .containsEntry("completion_reason", killed ? "killed" : "exited");
                if (!killed) {
                    assertThat(ends.get(i).get()).containsEntry("output", "n" + i + "\n");
                }
            }
            assertThat(engine.busy(Caller.DEFAULT_SESSION)).isFalse();
        }
    }

    @Test
    default void secretsAreMasked() {
        String secret = "ghp_" + "a1B2c3D4e5".repeat(4).substring(0, 36);
        String id = ProcessSubject.id(begin("echo " + secret + "; sleep 600", Map.of()));
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(process("poll", id).text("output_preview")).isNotEmpty());

        for (String action : List.of("poll", "log", "kill")) {
            assertThat(process(action, id).value().toString()).as(action).doesNotContain(secret);
        }
    }
}
