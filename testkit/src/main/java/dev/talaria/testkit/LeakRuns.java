package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.talaria.engine.Engine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Tests that many runs of all kinds leave nothing behind: no process, thread, descriptor or file.
interface LeakRuns extends RunSubject {
    Duration SETTLING = Duration.ofSeconds(100);

    @Test
    default void runsLeaveNothingBehind() throws Exception {
        try (Engine engine = runs().another(UnaryOperator.identity())) {
            allKinds(engine, 1);
            Runs.run(engine, "pass", Map.of()).succeeded();
            List<String> files = stagedFiles(engine);
            int descriptors = descriptors();
            int threads = threads().size();

            allKinds(engine, has(Behaviour.SOCKET) ? 5 : 2);

            await().atMost(SETTLING).untilAsserted(() -> {
                // Folders, keepers and readers of a few runs may be kept warm, but their number does
                // not grow and they are empty.
                List<String> now = new ArrayList<>(stagedFiles(engine));
                now.removeAll(files);
                assertThat(now).hasSizeLessThanOrEqualTo(40).allMatch(file -> file.endsWith(" 0"));
                assertThat(descriptors()).isLessThanOrEqualTo(descriptors + 10);
                assertThat(threads().size()).as("%s", threads()).isLessThanOrEqualTo(threads + 10);
            });
        }
    }

    @Test
    default void aClosedEngineLeavesNothingBehind() throws Exception {
        Set<Long> before = Processes.below(ProcessHandle.current().pid()).keySet();
        int descriptors = descriptors();
        List<String> threads = threads();
        Set<String> folders = hostFolders();
        Engine engine = runs().another(UnaryOperator.identity());
        allKinds(engine, has(Behaviour.SOCKET) ? 2 : 1);
        List<Long> inside = processesOf(engine);
        engine.close();

        await().atMost(SETTLING).untilAsserted(() -> {
            Map<Long, String> left = Processes.below(ProcessHandle.current().pid());
            left.keySet().removeAll(before);
            assertThat(left).isEmpty();
            assertThat(hostFolders()).isEqualTo(folders);
            assertThat(descriptors()).isLessThanOrEqualTo(descriptors + 3);
            List<String> more = threads();
            threads.forEach(more::remove);
            assertThat(more).allMatch(name -> name.matches("(?i).*(ForkJoin|awaitility|Common|Unblocker|Cleaner).*"));
        });
        assertThat(runs().living(inside)).isEmpty();
    }

    @Test
    default void closingAnEngineEndsWhatRuns() throws Exception {
        Engine engine = runs().another(UnaryOperator.identity());
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            String name = "closing-" + runs().target().transport();
            Future<RunResult> running =
                    executor.submit(() -> Runs.run(engine, """
                    import subprocess
                    from hermes_tools import hang
                    subprocess.Popen(["sleep", "600"])
                    hang(%s)
                    """.formatted(Python.text(name)), Map.of("timeout", 200)));
            assertThat(runs().tools().hangs(name).await(100, TimeUnit.SECONDS)).isTrue();
            List<Long> inside = processesOf(engine);

            engine.close();

            RunResult ran = running.get(100, TimeUnit.SECONDS);
            assertThat(ran.value().get("status")).isNotEqualTo("success");
            assertThat(ran.error()).isNotBlank();
            assertThat(runs().living(inside)).isEmpty();
        }
    }

    private void allKinds(Engine engine, int rounds) throws Exception {
        List<Callable<RunResult>> calls = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            calls.add(() -> Runs.run(engine, "print('hello')", Map.of()));
            calls.add(() -> Runs.run(engine, "raise ValueError", Map.of()));
            calls.add(() -> Runs.run(engine, "import os; os.kill(os.getpid(), 9)", Map.of()));
            calls.add(() -> Runs.run(engine, TreeRuns.STRAY, Map.of()));
            calls.add(() -> Runs.run(engine, "print('x' * 300_000)", Map.of()));
            calls.add(() -> Runs.run(engine, "import time; time.sleep(600)", Map.of("timeout", 1)));
            calls.add(() -> Runs.run(engine, """
                    from concurrent.futures import ThreadPoolExecutor
                    from hermes_tools import echo, terminal
                    with ThreadPoolExecutor(8) as pool:
                        list(pool.map(echo, range(20)))
                    terminal("sleep 600 & echo started")
                    """, Map.of()));
        }
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<RunResult> future : executor.invokeAll(calls)) {
                assertThat(future.get().value()).containsKey("status");
            }
        }
    }

    /// Returns the folders of other runs and how many files are in each.
    private List<String> stagedFiles(Engine engine) {
        RunResult ran = Runs.run(engine, """
                import os, re
                mine = os.path.dirname(__file__)
                around = os.path.dirname(mine)
                for name in os.listdir(around):
                    folder = os.path.join(around, name)
                    if folder != mine and re.fullmatch("r[0-9]+|p[0-9]+|hermes_exec_.*", name) and os.access(folder, os.R_OK):
                        print(name, len(os.listdir(folder)) if os.path.isdir(folder) else 1)
                """, Map.of());
        return ran.succeeded().strip().lines().toList();
    }

    /// Returns the processes of a run, from the script's own upwards.
    private List<Long> processesOf(Engine engine) {
        if (has(Behaviour.OWN_PROCESS_NUMBERS)) {
            return List.of(); // the host's process table shows them all
        }
        return Runs.run(engine, """
                import os
                pid, up = os.getpid(), []
                while pid > 1 and "python" in open("/proc/%d/comm" % pid).read():
                    up.append(pid)
                    pid = int(open("/proc/%d/stat" % pid).read().rpartition(")")[2].split()[1])
                print(*up)
                """, Map.of()).numbers();
    }

    private static Set<String> hostFolders() {
        String ours = "talaria-host-" + ProcessHandle.current().pid() + "-";
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir", "/tmp")))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(ours))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int descriptors() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return (int) open.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> !name.startsWith("process reaper")) // the JDK's own, kept for a minute
                .sorted()
                .collect(Collectors.toCollection(ArrayList::new));
    }
}
