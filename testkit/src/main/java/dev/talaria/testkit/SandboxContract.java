package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.talaria.api.Command;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Isolation;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.testkit.TestSandbox.Ability;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The contract of sandboxes. Every backend inherits it with a class of ten lines. Its tests come
/// from known failures, and use real processes only. The target needs a POSIX shell and the usual
/// small programs.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class SandboxContract {
    private static final Duration SOON = Duration.ofSeconds(100);
    private static final int HUNDRED_MB = 100 << 20;

    private @Nullable Sandbox opened;

    /// Returns the sandbox that is tested.
    protected abstract TestSandbox target();

    @BeforeAll
    void open() {
        target().missing().ifPresent(why -> {
            System.out.println("SKIPPED " + getClass().getSimpleName() + ": " + why);
            Assumptions.abort(why);
        });
        opened = target().open();
    }

    @AfterAll
    void close() {
        if (opened != null) {
            opened.close();
        }
    }

    private Sandbox sandbox() {
        if (opened == null) {
            throw new IllegalStateException("not open");
        }
        return opened;
    }

    @Test
    void itIsWhatItIsDeclaredToBe() {
        assertThat(sandbox().isolation()).isEqualTo(target().isolation());
        assertThat(sandbox().sharesHost()).isEqualTo(target().can(Ability.SHARES_HOST));
        assertThat(target().find().isolates())
                .isEqualTo(!Set.of(Isolation.NONE, Isolation.MACHINE).contains(target().isolation()));
        assertThat(sandbox().name()).startsWith(target().backend());
    }

    @Test
    void anUnknownOptionIsRefused() {
        SandboxSpec spec = new SandboxSpec(Map.of("no-such-option", "x"));

        assertThatThrownBy(() -> target().find().open(spec).close())
                .isInstanceOfSatisfying(
                        SandboxException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION))
                .hasMessageContaining("no-such-option");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 126, 127, 200, 254, 255})
    void exitCodesComeThrough(int code) {
        assertThat(Finished.of(sandbox(), "sh", "-c", "exit " + code).status()).isEqualTo(code);
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 9, 10, 15})
    void deathBySignalIs128AndTheNumber(int signal) {
        Finished finished = Finished.of(sandbox(), "sh", "-c", "kill -" + signal + " $$");

        assertThat(finished.status()).isEqualTo(128 + signal);
    }

    @Test
    void stdinEndReachesTheChild() {
        Finished finished = Finished.of(sandbox(), Command.of("wc", "-c"), new byte[300_000]);

        assertThat(finished.out().strip()).isEqualTo("300000");
    }

    @Test
    void aChildThatDoesNotReadItsInputStillEnds() {
        Finished finished = Finished.of(sandbox(), Command.of("sh", "-c", "exit 5"), new byte[4 << 20]);

        assertThat(finished.status()).isEqualTo(5);
    }

    @Test
    void everyByteSurvivesBothWays() {
        byte[] all = new byte[1 << 16];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) (i * 31 + i / 256);
        }

        Finished finished = Finished.of(sandbox(), Command.of("cat"), all);

        assertThat(finished.stdout()).isEqualTo(all);
    }

    @Test
    void stdoutAndStderrAreApart() {
        Finished finished = Finished.of(sandbox(), "sh", "-c", "echo out; echo err >&2");

        assertThat(finished.out()).isEqualTo("out\n");
        assertThat(finished.err()).isEqualTo("err\n");
    }

    @Test
    void aHundredMegabytesPassWithoutMemory() throws Exception {
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        long before = runtime.totalMemory() - runtime.freeMemory();
        long total = 0;

        try (RunningProcess process = sandbox().start(Command.of("head", "-c", "" + HUNDRED_MB, "/dev/zero"))) {
            process.stdin().close();
            byte[] buffer = new byte[1 << 16];
            InputStream stdout = process.stdout();
            for (int count = stdout.read(buffer); count >= 0; count = stdout.read(buffer)) {
                total += count;
            }
            assertThat(process.waitFor(SOON)).contains(0);
        }

        System.gc();
        assertThat(total).isEqualTo(HUNDRED_MB);
        assertThat(runtime.totalMemory() - runtime.freeMemory() - before).isLessThan(20 << 20);
    }

    @Test
    void argumentsArriveAsTheyAre() {
        List<String> odd = List.of(
                "",
                " ",
                "a b",
                "it's",
                "\"q\"",
                "$HOME `id` $(id)",
                "back\\slash",
                "line\nbreak",
                "*",
                "-n",
                "--",
                "ü€😀",
                "~",
                ";|&<>",
                "\t");
        List<String> argv = new ArrayList<>(List.of("sh", "-c", "for a; do printf '%s\\000' \"$a\"; done", "sh"));
        argv.addAll(odd);

        Finished finished = Finished.of(sandbox(), new Command(argv, Optional.empty(), Optional.empty()), new byte[0]);

        assertThat(List.of(finished.out().split("\0", -1)))
                .startsWith(odd.toArray(String[]::new))
                .hasSize(odd.size() + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "it's $HOME", "line\nbreak", "-dash", "ü"})
    void theWorkingFolderMayHaveAnyName(String name) {
        String base = Finished.of(sandbox(), "sh", "-c", "mktemp -d").out().strip();
        String folder = base + "/" + name;
        Finished.of(sandbox(), "mkdir", "--", folder);

        Finished finished =
                Finished.of(sandbox(), new Command(List.of("pwd"), Optional.of(folder), Optional.empty()), new byte[0]);

        assertThat(finished.out()).isEqualTo(folder + "\n");
        Finished.of(sandbox(), "rm", "-rf", base);
    }

    @Test
    void aMissingProgramIsNamed() {
        Finished finished = Finished.of(sandbox(), "no-such-program-here", "x");

        assertThat(finished.status()).isNotZero();
        assertThat(finished.said()).contains("no-such-program-here");
    }

    @Test
    void aMissingWorkingFolderIsNamed() {
        Command command = new Command(List.of("true"), Optional.of("/no/such/folder"), Optional.empty());

        String said;
        try {
            Finished finished = Finished.of(sandbox(), command, new byte[0]);
            assertThat(finished.status()).isNotZero();
            said = finished.said();
        } catch (SandboxException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.FILE_NOT_FOUND);
            said = String.valueOf(e.getMessage());
        }

        assertThat(said).contains("/no/such/folder");
    }

    @Test
    void aCommandGetsExactlyItsEnvironmentOrAClearNo() {
        Map<String, String> environment = Map.of("PATH", "/usr/bin:/bin", "ODD", "a b'c\nd=e");
        Command command = new Command(List.of("env", "-0"), Optional.empty(), Optional.of(environment));

        if (target().can(Ability.ENVIRONMENT)) {
            Set<String> seen = new TreeSet<>(
                    List.of(Finished.of(sandbox(), command, new byte[0]).out().split("\0")));
            seen.removeIf(variable -> variable.startsWith("PWD=")); // the variable is true anyway

            assertThat(seen).containsExactly("ODD=a b'c\nd=e", "PATH=/usr/bin:/bin");
        } else {
            assertThatThrownBy(() -> Finished.of(sandbox(), command, new byte[0]))
                    .isInstanceOfSatisfying(
                            SandboxException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED));
        }
    }

    @Test
    void noCommandCanOpenTheUsersTerminal() {
        assertThat(Finished.of(sandbox(), "sh", "-c", ": < /dev/tty").status()).isNotZero();
    }

    @Test
    void waitingHasALimit() throws Exception {
        try (RunningProcess process = sandbox().start(Command.of("sleep", "600"))) {
            assertThat(process.waitFor(Duration.ofMillis(1))).isEmpty();
        }
    }

    @Test
    void killEndsTheCommandAndItsStreams() throws Exception {
        try (RunningProcess process = sandbox().start(Command.of("sh", "-c", "echo started; exec sleep 600"))) {
            assertThat(process.stdout().readNBytes(8)).asString().isEqualTo("started\n");

            process.kill();
            process.kill();

            assertThat(process.waitFor(SOON)).isPresent().get().isNotEqualTo(0);
            assertThat(process.stdout().read()).isEqualTo(-1);
        }
    }

    @Test
    void killReachesChildrenWhereDeclared() throws Exception {
        if (!target().can(Ability.KILLS_TREE)) {
            return; // only the client can be reached from here; launchers run a second command to end the rest
        }
        String mark = "6" + UUID.randomUUID().toString().replaceAll("[^0-9]", "");
        // One child, and one whose parent has ended.
        String script = "sleep " + mark + " & (sleep " + mark + " &); echo started; wait";

        try (RunningProcess process = sandbox().start(Command.of("sh", "-c", script))) {
            assertThat(process.stdout().readNBytes(8)).asString().isEqualTo("started\n");
            Awaitility.await().atMost(SOON).until(() -> living(mark) >= 2);

            process.kill();

            Awaitility.await().atMost(SOON).until(() -> living(mark) == 0);
        }
    }

    @Test
    void aCommandThatIsClosedWhileItStartsLeavesNothing() {
        if (!target().can(Ability.KILLS_TREE)) {
            return;
        }
        String mark = "7" + UUID.randomUUID().toString().replaceAll("[^0-9]", "");

        for (int i = 0; i < 20; i++) {
            sandbox().start(Command.of("sleep", mark)).close();
        }

        Awaitility.await().during(Duration.ofMillis(300)).atMost(SOON).until(() -> living(mark) == 0);
    }

    private static long living(String mark) {
        return ProcessHandle.allProcesses()
                .filter(process -> Processes.commandLine(process.pid()).equals("sleep " + mark))
                .count();
    }

    @Test
    void closeEndsTheCommandAndMayBeCalledTwice() throws Exception {
        RunningProcess process = sandbox().start(Command.of("sleep", "600"));

        process.close();
        process.close();

        assertThat(process.waitFor(SOON)).isPresent();
    }

    @Test
    void theSandboxMayBeClosedTwice() {
        Sandbox another = target().open();
        another.close();
        another.close();

        assertThat(Finished.of(sandbox(), "true").status()).isZero();
    }

    @Test
    void fiftyCommandsRunAtOnce() throws Exception {
        List<Callable<String>> starts = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            byte[] input = ("input " + i).getBytes(StandardCharsets.UTF_8);
            starts.add(() -> Finished.of(sandbox(), Command.of("cat"), input).out());
        }

        try (ExecutorService threads = Executors.newFixedThreadPool(50)) {
            List<Future<String>> ended = threads.invokeAll(starts);
            for (int i = 0; i < 50; i++) {
                assertThat(ended.get(i).get()).isEqualTo("input " + i);
            }
        }
    }
}
