package dev.talaria.tests.leaks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.talaria.testkit.ChildJvm;
import dev.talaria.testkit.Processes;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Kills random processes of a working Talaria with -9, including Talaria itself, one to three at a time. No result
/// claims anything false. After the next start no process, folder or socket is left.
///
/// `-Dtalaria.storm.kills=1000` makes it longer; `-Dtalaria.storm.seed=N` repeats a storm.
@Timeout(value = 4, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KillStormTest {
    private static final int KILLS = Integer.getInteger("talaria.storm.kills", 40);
    private static final long SEED = Long.getLong("talaria.storm.seed", System.nanoTime());
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Pattern HONEST =
            Pattern.compile("could live on|is not known|could not be ended|did not confirm|is being ended");

    @TempDir
    private Path folder;

    private final Random random = new Random(SEED);
    private final Map<String, Integer> killed = new TreeMap<>();
    private final List<String> sleepers = new ArrayList<>();
    private final List<Object> surviving = new ArrayList<>(); // surviving processes
    private final List<Long> latest = new ArrayList<>(); // the surviving processes of this round, and their guardians
    private int rounds;
    private int results;
    private int lost;

    static Stream<RunTarget> targets() {
        return Stream.of(RunTargets.localUds(), RunTargets.bubblewrapUds());
    }

    @AfterEach
    void end() {
        for (String sleeper : sleepers) {
            sleeping(sleeper).forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        }
    }

    /// A call of a round.
    ///
    /// @param sleeper the mark of its processes
    /// @param end the text that it prints at its end
    private record Asked(String sleeper, String end, CompletableFuture<Map<String, Object>> result) {}

    @ParameterizedTest(name = "{0}")
    @MethodSource("targets")
    void nothingIsLeftAndNothingIsClaimedWrongly(RunTarget target) throws Exception {
        target.missing().ifPresent(Assumptions::abort);
        Path work = Files.createDirectories(folder.resolve("work"));
        Files.createDirectories(folder.resolve("tmp"));
        int before = sum();
        ChildJvm jvm = start(target, work);
        try {
            while (sum() - before < KILLS / 2) {
                rounds++;
                if (!round(jvm, target, work)) {
                    jvm.close();
                    jvm = start(target, work);
                    endSurviving(jvm);
                }
            }
        } finally {
            jvm.kill();
            jvm.close();
        }
        try (ChildJvm last = start(target, work)) {
            endSurviving(last); // they survived the kills, like the records of their sandboxes
        }
        try (ChildJvm next = start(target, work)) {
            assertThat(next.run("print('next')")).containsEntry("output", "next\n");
            await().atMost(SOON).untilAsserted(() -> assertThat(alive()).isEmpty());
        }
        await().atMost(SOON).untilAsserted(() -> assertThat(left()).isEmpty());
        System.out.println("KillStormTest at " + target + " with seed " + SEED + ": " + killed + " killed in " + rounds
                + " rounds, " + results + " results, " + lost + " lost with their JVM.");
    }

    private int sum() {
        return killed.values().stream().mapToInt(Integer::intValue).sum();
    }

    private ChildJvm start(RunTarget target, Path work) throws Exception {
        String tmp = folder.resolve("tmp").toString();
        return ChildJvm.start(
                target,
                folder,
                work.toString(),
                Optional.empty(),
                Map.of("TMPDIR", tmp, "JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + tmp));
    }

    private String sleeper() {
        String sleeper = "7" + (100_000_000 + random.nextInt(900_000_000));
        sleepers.add(sleeper);
        return sleeper;
    }

    private void keep(ChildJvm jvm) throws Exception {
        String sleeper = sleeper();
        Map<String, Object> started = jvm.call(
                "terminal",
                Map.of(
                        "command",
                        "sleep " + sleeper + " & exec sleep " + sleeper,
                        "background",
                        true,
                        "persist_on_release",
                        true));
        surviving.add(started.get("session_id"));
        latest.clear();
        if (started.get("pid") instanceof Number pid) {
            latest.add(pid.longValue());
            ProcessHandle.of(pid.longValue())
                    .flatMap(ProcessHandle::parent)
                    .ifPresent(guardian -> latest.add(guardian.pid()));
        }
    }

    private void endSurviving(ChildJvm jvm) throws Exception {
        for (Object id : surviving) {
            jvm.call("process", Map.of("action", "kill", "session_id", id));
        }
        surviving.clear();
    }

    /// Returns whether the JVM has survived.
    private boolean round(ChildJvm jvm, RunTarget target, Path work) throws Exception {
        String go = "go-" + rounds;
        if (target.backend().equals("local")) {
            keep(jvm);
        }
        List<Asked> all = List.of(script(jvm, go), daemon(jvm, go), command(jvm, go));
        String sleeper = sleeper();
        CompletableFuture<Map<String, Object>> background =
                jvm.send("terminal", Map.of("command", "exec sleep " + sleeper, "background", true));
        await().atMost(SOON)
                .until(() -> all.stream()
                                .allMatch(asked -> asked.result.isDone()
                                        || !sleeping(asked.sleeper).isEmpty())
                        && background.isDone());
        int processes = 1 + random.nextInt(3);
        for (int i = 0; i < processes; i++) {
            kill(jvm);
        }
        Files.createFile(work.resolve(go)); // the remaining processes may end
        for (Asked asked : all) {
            judge(asked);
        }
        return Processes.lives(jvm.pid()) && judgeBackground(jvm, background, sleeper);
    }

    private Asked script(ChildJvm jvm, String go) {
        String sleeper = sleeper();
        String end = "end of " + sleeper;
        String code = """
                import os, subprocess, time
                from hermes_tools import echo, terminal
                child = subprocess.Popen(["sleep", "%s"])
                while not os.path.exists("%s"):
                    echo("x")
                    terminal("sleep 0.01")
                child.kill()
                child.wait()
                print("%s")
                """.formatted(sleeper, go, end);
        return new Asked(sleeper, end, jvm.begin(code, Map.of("timeout", 100)));
    }

    private Asked daemon(ChildJvm jvm, String go) {
        String sleeper = sleeper();
        String end = "end of " + sleeper;
        String code = """
                import os, subprocess, time
                subprocess.run(["setsid", "-f", "sleep", "%s"])
                while not os.path.exists("%s"):
                    time.sleep(0.01)
                print("%s")
                """.formatted(sleeper, go, end);
        return new Asked(sleeper, end, jvm.begin(code, Map.of("timeout", 100)));
    }

    private Asked command(ChildJvm jvm, String go) {
        String sleeper = sleeper();
        String end = "end of " + sleeper;
        String command = "sleep %s & setsid -f sleep %s; until [ -e %s ]; do sleep 0.02; done; echo '%s'"
                .formatted(sleeper, sleeper, go, end);
        return new Asked(sleeper, end, jvm.send("terminal", Map.of("command", command, "timeout", 100)));
    }

    private void kill(ChildJvm jvm) {
        List<Map.Entry<Long, String>> all =
                new ArrayList<>(Processes.below(jvm.pid()).entrySet());
        all.add(Map.entry(jvm.pid(), "java"));
        latest.stream().filter(Processes::lives).forEach(pid -> all.add(Map.entry(pid, Processes.commandLine(pid))));
        Map.Entry<Long, String> victim = all.get(random.nextInt(all.size()));
        ProcessHandle.of(victim.getKey()).ifPresent(process -> {
            process.destroyForcibly();
            killed.merge(role(victim.getValue()), 1, Integer::sum);
        });
    }

    private static String role(String line) {
        if (line.contains("EARLY=b")) {
            return line.startsWith("/") && line.contains("bwrap") ? "wrapper" : "relay";
        }
        if (line.contains("guardian.py")) {
            return "guardian";
        }
        return line.contains("version,code,source")
                ? "zygote, keeper or script"
                : line.split(" ", 2)[0].replaceAll(".*/", "");
    }

    /// Checks a result and its effects when it arrives.
    private void judge(Asked asked) throws Exception {
        Map<String, Object> value;
        try {
            value = asked.result.get(120, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            lost++;
            return; // the JVM was killed
        }
        results++;
        String text = String.valueOf(value);
        boolean fine =
                "success".equals(value.get("status")) || Integer.valueOf(0).equals(value.get("exit_code"));
        if (fine) {
            assertThat(String.valueOf(value.get("output"))).as("seed " + SEED).contains(asked.end);
        }
        if (!HONEST.matcher(text).find()) {
            assertThat(sleeping(asked.sleeper)).as("seed " + SEED + ": " + text).isEmpty();
        }
    }

    private boolean judgeBackground(ChildJvm jvm, CompletableFuture<Map<String, Object>> background, String sleeper)
            throws Exception {
        try {
            Object id = background.get(60, TimeUnit.SECONDS).get("session_id");
            if (id == null) {
                return true;
            }
            Map<String, Object> seen = jvm.send("process", Map.of("action", "poll", "session_id", id))
                    .get(60, TimeUnit.SECONDS);
            if ("running".equals(seen.get("status"))) {
                jvm.send("process", Map.of("action", "kill", "session_id", id)).get(60, TimeUnit.SECONDS);
            }
            Map<String, Object> after = jvm.send("process", Map.of("action", "poll", "session_id", id))
                    .get(60, TimeUnit.SECONDS);
            if (!"running".equals(after.get("status"))
                    && !HONEST.matcher(after.toString()).find()) {
                assertThat(sleeping(sleeper)).as("seed " + SEED + ": " + after).isEmpty();
            }
            return true;
        } catch (ExecutionException e) {
            return false;
        }
    }

    private static List<Long> sleeping(String sleeper) {
        return Processes.below(0).entrySet().stream()
                .filter(one -> one.getValue().equals("sleep " + sleeper))
                .map(Map.Entry::getKey)
                .toList();
    }

    /// Returns the living processes of all rounds.
    private Map<Long, String> alive() {
        Map<Long, String> found = new LinkedHashMap<>();
        Processes.below(0).forEach((pid, line) -> {
            if (sleepers.stream().anyMatch(sleeper -> line.equals("sleep " + sleeper))) {
                found.put(pid, line);
            }
        });
        return found;
    }

    /// Returns what is left when nothing runs any more: processes, sockets, and folders for runs.
    private List<String> left() throws IOException {
        List<String> found = new ArrayList<>();
        Processes.below(0).forEach((pid, line) -> {
            if (belongs(pid, line)) {
                found.add(pid + " " + line);
            }
        });
        try (Stream<Path> files = Files.list(folder.resolve("tmp"))) {
            files.filter(file -> !file.getFileName().toString().startsWith("hsperfdata"))
                    .map(Path::toString)
                    .forEach(found::add);
        }
        Path sandboxes = folder.resolve("home/state/sandboxes");
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(file -> isSocket(file)
                            || (file.startsWith(sandboxes) && file.toString().endsWith(".json")))
                    .map(Path::toString)
                    .forEach(found::add);
        }
        return found;
    }

    private boolean belongs(long pid, String line) {
        if (sleepers.stream().anyMatch(sleeper -> line.equals("sleep " + sleeper))) {
            return true;
        }
        try {
            return Files.readString(Path.of("/proc/" + pid + "/environ"), StandardCharsets.ISO_8859_1)
                    .contains("TMPDIR=" + folder.resolve("tmp"));
        } catch (IOException e) {
            return false; // it has ended, or we may not read it
        }
    }

    private static boolean isSocket(Path file) {
        try {
            return ((int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 0170000) == 0140000;
        } catch (IOException e) {
            return false; // it has just ended
        }
    }
}
