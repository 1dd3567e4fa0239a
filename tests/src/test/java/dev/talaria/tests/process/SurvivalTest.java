package dev.talaria.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.testkit.ChildJvm;
import dev.talaria.testkit.Processes;
import dev.talaria.testkit.RunTargets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Talaria's JVM is killed with -9. The next one finds the surviving process again; all others are dead.
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SurvivalTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private Engine engine() {
        return Engine.builder()
                .settings(
                        Settings.defaults(Folders.below(folder.resolve("home"))).withCwd(folder.toString()))
                .build();
    }

    private static Map<String, Object> process(Engine engine, String action, Object id, Map<String, Object> more) {
        Map<String, Object> arguments = new HashMap<>(Map.of("action", action, "session_id", id));
        arguments.putAll(more);
        return engine.call(ToolCall.of("process", arguments)).value();
    }

    private static long number(Map<String, Object> value, String key) {
        return ((Number) value.getOrDefault(key, -1)).longValue();
    }

    @ParameterizedTest(name = "pty {0}")
    @ValueSource(booleans = {false, true})
    void aKilledTalariaFindsItsProcessesAgain(boolean pty) throws Exception {
        Object survivor;
        Object quick;
        long pid;
        try (ChildJvm jvm = ChildJvm.start(RunTargets.localUds(), folder, folder.toString(), Optional.empty())) {
            Map<String, Object> flags = Map.of("background", true, "persist_on_release", true, "pty", pty);
            Map<String, Object> started = new HashMap<>(flags);
            started.put("command", "echo one; read x; echo got $x; exit 7");
            Map<String, Object> first = jvm.call("terminal", started);
            assertThat(first).containsEntry("persist_on_release", true);
            survivor = first.get("session_id");
            pid = number(first, "pid");
            started.put("command", "echo quick; read y < go; exit 9");
            Path fifo = folder.resolve("go");
            assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                    .isZero();
            quick = jvm.call("terminal", started).get("session_id");
            long doomed = number(jvm.call("terminal", Map.of("command", "sleep 600", "background", true)), "pid");
            assertThat(Processes.lives(doomed)).isTrue();

            jvm.kill();

            await().atMost(SOON).until(() -> !Processes.lives(doomed));
            Files.writeString(fifo, "on\n"); // it ends while no Talaria runs
        }
        assertThat(Processes.lives(pid)).isTrue();

        try (Engine engine = engine()) {
            assertThat((List<?>) engine.call(ToolCall.of("process", Map.of("action", "list")))
                            .value()
                            .get("processes"))
                    .hasSize(2);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(process(engine, "poll", survivor, Map.of()))
                            .containsEntry("status", "running")
                            .containsEntry("detached", true)
                            .containsEntry("output_preview", "one\n"));
            process(engine, "submit", survivor, Map.of("data", "two"));
            Map<String, Object> over = process(engine, "wait", survivor, Map.of("timeout", 60));
            assertThat(over).containsEntry("exit_code", 7).containsEntry("completion_reason", "exited");
            assertThat(String.valueOf(over.get("output"))).startsWith("one\n").endsWith("got two\n");
            assertThat(process(engine, "log", survivor, Map.of()).get("output").toString())
                    .contains("got two");
            assertThat(process(engine, "wait", quick, Map.of("timeout", 60)))
                    .containsEntry("exit_code", 9)
                    .containsEntry("output", "quick\n");
        }
    }

    @Test
    void aSurvivingProcessBeginsWithItsSessionsState() {
        try (Engine engine = engine()) {
            Function<Map<String, Object>, Map<String, Object>> terminal =
                    arguments -> engine.call(ToolCall.of("terminal", arguments)).value();
            var _ = terminal.apply(
                    Map.of("command", "mkdir -p sub && cd sub && export FROM='a \"b\" $c' RAW=$'\\xff'; alias x=y"));
            Map<String, Object> started = terminal.apply(Map.of(
                    "command",
                    "echo \"$FROM\" ${PWD##*/} $BASH_VERSINFO $(printf $RAW | od -An -tx1); cd /; exit 6",
                    "background",
                    true,
                    "persist_on_release",
                    true));

            assertThat(process(engine, "wait", started.get("session_id"), Map.of("timeout", 60)))
                    .containsEntry("exit_code", 6)
                    .extractingByKey("output")
                    .asString()
                    .matches("a \"b\" \\$c sub [0-9]+ ff\n");
            assertThat(terminal.apply(Map.of("command", "echo ${PWD##*/}"))).containsEntry("output", "sub");
            Map<String, Object> moved = terminal.apply(Map.of(
                    "command", "pwd", "background", true, "persist_on_release", true, "workdir", "/no/such/folder"));
            assertThat(moved.get("error").toString()).contains("/no/such/folder");
        }
    }

    @Test
    void noticesOfAProcessThatIsFoundAgainAreToldOnce() throws Exception {
        Object watched;
        Object ended;
        List<?> toldAtStart;
        Path fifo = folder.resolve("go");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();
        try (ChildJvm jvm = ChildJvm.start(RunTargets.localUds(), folder, folder.toString(), Optional.empty())) {
            Map<String, Object> flags = Map.of("background", true, "persist_on_release", true);
            Map<String, Object> first = new HashMap<>(flags);
            first.put("command", "echo one ready; cat go; echo over; exit 3");
            first.put("notify", List.of("ready"));
            Map<String, Object> started = jvm.call("terminal", first);
            watched = started.get("session_id");
            List<Object> told = new ArrayList<>(notices(started)); // a quick notice arrives before the call ends
            await().atMost(SOON).until(() -> {
                told.addAll(notices(jvm.call("process", Map.of("action", "list"))));
                return !told.isEmpty();
            });
            assertThat(told.toString()).contains("one ready");
            Map<String, Object> second = new HashMap<>(flags);
            second.put("command", "echo second; exit 4");
            second.put("notify", true);
            second.put("heartbeat", 60);
            Map<String, Object> quick = jvm.call("terminal", second);
            ended = quick.get("session_id");
            toldAtStart = notices(quick);
            jvm.kill(); // the end came before or after the kill; nobody else was told
        }
        Files.writeString(fifo, "two ready\n"); // while no Talaria runs

        List<Object> told = new ArrayList<>(toldAtStart);
        try (Engine engine = engine()) {
            await().atMost(SOON).untilAsserted(() -> {
                told.addAll(notices(engine.call(ToolCall.of("process", Map.of("action", "list")))
                        .value()));
                assertThat(told).hasSize(2);
            });
            assertThat(told.toString())
                    .contains("type=watch_match, session_id=" + watched, "output=two ready,")
                    .contains("type=completion, session_id=" + ended, "exit_code=4")
                    .doesNotContain("output=one");
            assertThat(process(engine, "wait", watched, Map.of("timeout", 60))).containsEntry("exit_code", 3);
        }
        try (Engine engine = engine()) {
            assertThat(process(engine, "wait", watched, Map.of("timeout", 60)))
                    .containsEntry("exit_code", 3)
                    .doesNotContainKey("notices");
            assertThat(engine.call(ToolCall.of("process", Map.of("action", "list")))
                            .value()
                            .toString())
                    .contains("watch_patterns=[ready]")
                    .doesNotContain("notices");
        }
    }

    @Test
    void aProcessWhoseStartWasCutOffIsEndedOrFoundAgain() throws Exception {
        String marker = "sleep 612." + (1 + System.nanoTime() % 1_000_000); // this test may run twice at once
        Path processes = folder.resolve("home/state/processes/kept");
        for (int round = 0; round < 3; round++) {
            try (ChildJvm jvm = ChildJvm.start(RunTargets.localUds(), folder, folder.toString(), Optional.empty())) {
                jvm.call("terminal", Map.of("command", "true"));
                long before = count(processes);
                var _ = jvm.send(
                        "terminal",
                        Map.of("command", "exec " + marker, "background", true, "persist_on_release", true));
                await().pollInterval(Duration.ofMillis(1)).atMost(SOON).until(() -> count(processes) > before);
                Thread.sleep(25L * round); // between the creation of the folder and the answer

                jvm.kill();
            }
        }
        await().atMost(SOON).untilAsserted(() -> {
            try (Engine engine = engine()) {
                List<?> found = (List<?>) engine.call(ToolCall.of("process", Map.of("action", "list")))
                        .value()
                        .get("processes");
                List<Long> pids = found.stream()
                        .map(one -> (Map<?, ?>) one)
                        .filter(one -> "running".equals(one.get("status")))
                        .map(one -> ((Number) one.get("pid")).longValue())
                        .toList();
                assertThat(living(marker)).containsExactlyInAnyOrderElementsOf(pids);
            }
        });
        try (Engine engine = engine()) {
            for (Object one : (List<?>) engine.call(ToolCall.of("process", Map.of("action", "list")))
                    .value()
                    .get("processes")) {
                process(engine, "kill", ((Map<?, ?>) one).get("session_id"), Map.of());
            }
        }
        assertThat(living(marker)).isEmpty();
    }

    private static long count(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.count();
        }
    }

    private static List<Long> living(String command) {
        return ProcessHandle.allProcesses()
                .filter(one -> one.info().commandLine().orElse("").endsWith(command))
                .map(ProcessHandle::pid)
                .toList();
    }

    private static List<?> notices(Map<String, Object> value) {
        return value.get("notices") instanceof List<?> list ? list : List.of();
    }

    @Test
    void anEngineThatIsClosedLetsItGoOnAndAKillByTheNextIsShownAsOne() throws Exception {
        Object id;
        try (Engine engine = engine()) {
            id = engine.call(ToolCall.of(
                            "terminal",
                            Map.of("command", "echo up; sleep 600", "background", true, "persist_on_release", true)))
                    .value()
                    .get("session_id");
        }
        try (Stream<Path> files = Files.walk(folder.resolve("home/state/processes/kept"))) {
            assertThat(files.filter(Files::isRegularFile))
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
        try (Engine engine = engine();
                Engine other = engine()) {
            assertThat(process(engine, "poll", id, Map.of())).containsEntry("status", "running");
            // The process's owner lives, so the process stays with it.
            assertThat(process(other, "poll", id, Map.of())).containsEntry("status", "not_found");
            assertThat(process(engine, "kill", id, Map.of())).containsEntry("status", "killed");
        }
        try (Engine engine = engine()) {
            assertThat(process(engine, "poll", id, Map.of()))
                    .containsEntry("exit_code", -15)
                    .containsEntry("completion_reason", "killed")
                    .containsEntry("output_preview", "up\n");
        }
    }

    @Test
    void aGuardianThatIsKilledMeansThatNobodyKnows() throws Exception {
        try (Engine engine = engine()) {
            Map<String, Object> started = engine.call(ToolCall.of(
                            "terminal",
                            Map.of("command", "exec sleep 600", "background", true, "persist_on_release", true)))
                    .value();
            long guardian = ProcessHandle.of(number(started, "pid"))
                    .flatMap(ProcessHandle::parent)
                    .orElseThrow()
                    .pid();
            ProcessHandle.of(guardian).orElseThrow().destroyForcibly();

            assertThat(process(engine, "wait", started.get("session_id"), Map.of("timeout", 60)))
                    .containsEntry("status", "lost")
                    .containsEntry("exit_code", -1);
            await().atMost(SOON).until(() -> !Processes.lives(number(started, "pid")));
        }
    }
}
