package dev.talaria.tests.leaks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The staging folders of killed relays")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class StagingSweepTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /// Prints the relay's own folder and its process id.
    private static final String WHERE = """
            import os
            keeper = os.getppid()
            stat = lambda pid: open("/proc/%d/stat" % pid).read().rpartition(")")[2].split()
            zygote = int(stat(keeper)[1])
            print(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), stat(zygote)[1])
            """;

    @TempDir
    Path folder;

    private Path precious;
    private final List<Path> planted = new ArrayList<>();

    @BeforeEach
    void somethingToLose() throws IOException {
        precious = Files.createDirectory(folder.resolve("precious"));
        Files.writeString(precious.resolve("thesis"), "years of work");
        Files.setPosixFilePermissions(precious, PosixFilePermissions.fromString("rwx------"));
    }

    @AfterEach
    void takeAway() throws Exception {
        for (Path path : planted) {
            assertThat(new ProcessBuilder("rm", "-rf", path.toString()).start().waitFor())
                    .isZero();
        }
    }

    private Path place(String digits) {
        Path path = Path.of(
                "/tmp",
                "talaria-staging-" + digits.repeat(16).substring(0, 8)
                        + "%08x".formatted(System.nanoTime() & 0xffffffffL));
        planted.add(path);
        return path;
    }

    /// Creates a staging folder. It gets its name at the end, since the relays of other tests sweep, too.
    private Path staging(String digits, String mode) throws IOException {
        return named(made(mode), digits);
    }

    private Path named(Path made, String digits) throws IOException {
        return Files.move(made, place(digits));
    }

    private Path made(String mode) throws IOException {
        Path path = Files.createTempDirectory(Path.of("/tmp"), "not-yet-staging");
        Files.createDirectories(path.resolve("r1/deep"));
        Files.writeString(path.resolve("r1/deep/script.py"), "x");
        Files.createSymbolicLink(path.resolve("r1/link"), precious);
        Files.setPosixFilePermissions(path.resolve("r1/deep"), PosixFilePermissions.fromString("---------"));
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
        return path;
    }

    private Engine engine() {
        return Engine.builder()
                .settings(Settings.defaults(Folders.below(folder.resolve("state")))
                        .withBackend("local", Map.of())
                        .withCwd(folder.toString()))
                .build();
    }

    private static String run(Engine engine, String code) {
        return String.valueOf(engine.call(ToolCall.of("execute_code", Map.of("code", code)))
                        .value()
                        .get("output"))
                .strip();
    }

    @Test
    @DisplayName("are swept by the next relay, without the targets of links in them")
    void sweepsTheDead() throws Exception {
        Path dead = staging("a", "rwx------");
        try (Engine engine = engine()) {
            assertThat(run(engine, "print(1)")).isEqualTo("1");
            await().atMost(PATIENCE).until(() -> !Files.exists(dead, LinkOption.NOFOLLOW_LINKS));
        }
        assertThat(precious.resolve("thesis")).hasContent("years of work");
    }

    @Test
    @DisplayName("are left with mounts in them, like a run's folder")
    void leavesWhatIsMounted() throws Exception {
        Path dead = made("rwx------");
        Path point = Files.createDirectory(dead.resolve("r1/mounted"));
        Path named = named(dead, "d");
        Path mounted = named.resolve(dead.relativize(point));
        assumeTrue(mount("mount", "--bind", precious.toString(), mounted.toString()), "cannot mount here");
        try (Engine engine = engine()) {
            String own = run(engine, """
                    import os, subprocess
                    folder = os.path.dirname(os.path.abspath(__file__)) + "/mounted"
                    os.mkdir(folder)
                    subprocess.run(["mount", "--bind", "%s", folder], check=True)
                    print(folder)
                    """.formatted(precious));
            try {
                await().atMost(PATIENCE)
                        .until(() -> !Files.exists(named.resolve("r1/deep"), LinkOption.NOFOLLOW_LINKS));
                assertThat(run(engine, "print(2)")).isEqualTo("2");
                assertThat(precious.resolve("thesis")).hasContent("years of work");
            } finally {
                assertThat(mount("umount", own)).isTrue();
            }
        } finally {
            assertThat(mount("umount", mounted.toString())).isTrue();
        }
        assertThat(precious.resolve("thesis")).hasContent("years of work");
    }

    private static boolean mount(String... words) throws Exception {
        return new ProcessBuilder(words).redirectErrorStream(true).start().waitFor() == 0;
    }

    @Test
    @DisplayName("stay after a kill and are gone after the next start; a living relay keeps its own")
    void sweepsAfterAKill() throws Exception {
        try (Engine living = engine();
                Engine killed = engine();
                Engine next = engine()) {
            String[] mine = run(living, WHERE).split(" ", 2);
            String[] theirs = run(killed, WHERE).split(" ", 2);
            planted.add(Path.of(theirs[0]));
            assertThat(mine[0]).startsWith("/tmp/talaria-staging-").isNotEqualTo(theirs[0]);
            ProcessHandle relay = ProcessHandle.of(Long.parseLong(theirs[1])).orElseThrow();
            relay.destroyForcibly();
            relay.onExit().get(30, TimeUnit.SECONDS);
            assertThat(Path.of(theirs[0])).isDirectory();

            assertThat(run(next, "print(1)")).isEqualTo("1");

            await().atMost(PATIENCE).until(() -> !Files.exists(Path.of(theirs[0])));
            assertThat(Path.of(mine[0])).isDirectory();
            assertThat(run(living, "print(2)")).isEqualTo("2");
        }
    }

    @Test
    @DisplayName("do not include links, folders of others, open folders, or folders in use")
    void leavesWhatIsNotOurs() throws Exception {
        Path link = Files.createSymbolicLink(place("b"), precious);
        Path open = staging("c", "rwxr-xr-x");
        Path others = made("rwx------");
        boolean given = new ProcessBuilder("chown", "talaria1", others.toString())
                        .start()
                        .waitFor()
                == 0;
        Path other = named(others, "d");
        Path unnamed = made("rwx------");
        Process holder = new ProcessBuilder(
                        "python3",
                        "-c",
                        "import fcntl,os,sys\nfcntl.flock(os.open(sys.argv[1],os.O_RDONLY),fcntl.LOCK_EX)\n"
                                + "print('held',flush=True)\nsys.stdin.read()",
                        unnamed.toString())
                .start();
        assertThat(holder.inputReader().readLine()).isEqualTo("held");
        Path held = named(unnamed, "e");
        Path dead = staging("f", "rwx------"); // its removal shows that all were checked, or are about to be
        try (Engine engine = engine()) {
            assertThat(run(engine, "print(1)")).isEqualTo("1");
            await().atMost(PATIENCE).until(() -> !Files.exists(dead));
        } finally {
            holder.outputWriter().close();
        }
        assertThat(precious.resolve("thesis")).hasContent("years of work");
        assertThat(Files.isSymbolicLink(link)).isTrue();
        assertThat(open.resolve("r1/link")).exists();
        assertThat(held.resolve("r1/link")).exists();
        if (given) {
            assertThat(other.resolve("r1/link")).exists();
        }
    }
}
