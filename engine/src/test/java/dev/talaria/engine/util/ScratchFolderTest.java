package dev.talaria.engine.util;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The folders of killed engines")
final class ScratchFolderTest {
    private static final String PREFIX = "talaria-host-";

    @TempDir
    Path base;

    @TempDir
    Path elsewhere;

    private long dead;

    @BeforeEach
    void aProcessThatHasEnded() throws Exception {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        dead = process.pid();
        Files.writeString(elsewhere.resolve("thesis"), "years of work");
    }

    private Path folder(String name, String mode) throws IOException {
        Path folder = Files.createDirectory(base.resolve(PREFIX + name));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(mode));
        Files.writeString(folder.resolve("sock"), "");
        return folder;
    }

    @Test
    @DisplayName("are swept at the next start")
    void sweeps() throws IOException {
        Path old = folder(dead + "-x", "rwx------"); // an older version's, without a lock
        Path killed = folder(dead + "-y", "rwx------");
        Files.writeString(killed.resolve("lock"), "");
        try (LiveFolder now = ScratchFolder.create(base)) {
            assertThat(List.of(old, killed)).noneMatch(Files::exists);
            assertThat(now.path()).isDirectory();
        }
        assertThat(base).isEmptyDirectory();
    }

    @Test
    @DisplayName("are swept even if another process has their id now: nobody holds their lock")
    void sweepsAReusedNumber() throws IOException {
        Path killed = folder(ProcessHandle.current().pid() + "-y", "rwx------");
        Files.writeString(killed.resolve("lock"), "");
        ScratchFolder.create(base).close();
        assertThat(killed).doesNotExist();
    }

    @Test
    @DisplayName("are not followed through a link, which is left and named")
    void followsNoLink() throws IOException {
        Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwx------"));
        Path link = Files.createSymbolicLink(base.resolve(PREFIX + dead + "-x"), elsewhere);
        ScratchFolder.create(base).close();
        assertThat(elsewhere.resolve("thesis")).hasContent("years of work");
        assertThat(LiveFolder.sweep(base, PREFIX)).singleElement().asString().contains(link.toString(), "a link");
        assertThat(Files.isSymbolicLink(link)).isTrue();
    }

    @Test
    @DisplayName("are left if they belong to others, or others can enter them")
    void leavesWhatIsNotOurs() throws IOException {
        Path open = folder(dead + "-open", "rwxrwxrwx");
        Path other = folder(dead + "-other", "rwx------");
        try {
            Files.setOwner(
                    other, base.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        } catch (IOException e) {
            assumeTrue(false, "only root can give a folder away");
        }
        ScratchFolder.create(base).close();
        assertThat(open.resolve("sock")).exists();
        assertThat(other.resolve("sock")).exists();
        assertThat(LiveFolder.sweep(base, PREFIX)).hasSize(2);
    }

    @Test
    @DisplayName("are never those of a living engine, in this process or another")
    void leavesTheLiving() throws Exception {
        try (LiveFolder mine = ScratchFolder.create(base);
                LiveFolder another = ScratchFolder.create(base)) {
            assertThat(mine.path()).isDirectory();
            Path theirs = folder(dead + "-live", "rwx------"); // a number that nobody has here: another's namespace
            Path lock = Files.writeString(theirs.resolve("lock"), "");
            Process holder = new ProcessBuilder(
                            "python3",
                            "-c",
                            "import fcntl,sys\nf=open(sys.argv[1],'w')\nfcntl.lockf(f,fcntl.LOCK_EX)\n"
                                    + "print('held',flush=True)\nsys.stdin.read()",
                            lock.toString())
                    .start();
            assertThat(holder.inputReader().readLine()).isEqualTo("held");
            ScratchFolder.create(base).close();
            assertThat(theirs).isDirectory();
            assertThat(List.of(mine.path(), another.path())).allMatch(Files::isDirectory);
            holder.outputWriter().close();
            holder.waitFor();
            ScratchFolder.create(base).close();
            assertThat(theirs).doesNotExist();
            assertThat(List.of(mine.path(), another.path())).allMatch(Files::isDirectory);
        }
    }

    @Test
    @DisplayName("are not mistaken for those that another engine is just making")
    void leavesWhatIsBeingMade() throws Exception {
        Process maker = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Maker.class.getName(),
                        base.toString())
                .inheritIO()
                .start();
        while (maker.isAlive()) {
            LiveFolder.sweep(base, PREFIX);
        }
        assertThat(maker.exitValue()).isZero();
    }

    /// Makes folders as engines do, one after the other, and fails if one disappears.
    static final class Maker {
        private static final int MANY = 2000;

        private Maker() {}

        public static void main(String[] args) throws IOException {
            for (int count = 0; count < MANY; count++) {
                try (LiveFolder folder = LiveFolder.create(Path.of(args[0]), PREFIX)) {
                    if (!Files.exists(folder.path().resolve("lock"))) {
                        System.exit(1);
                    }
                }
            }
        }
    }
}
