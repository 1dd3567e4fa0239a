package dev.talaria.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Our own folder")
final class OwnFolderTest {
    private static final int ROUNDS = 400;

    @TempDir
    Path temporary;

    private Path precious;

    @BeforeEach
    void somethingToLose() throws IOException {
        precious = Files.createDirectory(temporary.resolve("precious"));
        Files.writeString(precious.resolve("thesis"), "years of work");
        Files.createDirectory(precious.resolve("photos"));
        Files.writeString(precious.resolve("photos/one"), "1");
    }

    private void nothingIsLost() {
        assertThat(precious.resolve("thesis")).hasContent("years of work");
        assertThat(precious.resolve("photos/one")).hasContent("1");
    }

    private Path folder(String name, String mode) throws IOException {
        Path folder = Files.createDirectory(temporary.resolve(name));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(mode));
        return folder;
    }

    @Test
    @DisplayName("is removed with its content; links are removed, and their targets stay")
    void removesItsOwn() throws IOException {
        Path folder = folder("own", "rwx------");
        Files.createDirectories(folder.resolve("a/b/c"));
        Files.writeString(folder.resolve("a/b/c/file"), "x");
        Files.createSymbolicLink(folder.resolve("link"), precious);
        Files.createSymbolicLink(folder.resolve("a/b/link"), precious);
        Files.createSymbolicLink(folder.resolve("a/file"), precious.resolve("thesis"));
        Files.createLink(folder.resolve("hard"), precious.resolve("thesis"));
        Files.setPosixFilePermissions(folder.resolve("a/b"), PosixFilePermissions.fromString("---------"));
        assertThat(OwnFolder.remove(folder)).isEmpty();
        assertThat(folder).doesNotExist();
        nothingIsLost();
    }

    private static boolean mount(String... words) throws Exception {
        return new ProcessBuilder(words).redirectErrorStream(true).start().waitFor() == 0;
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"a/mounted", "a mounted one", "."})
    @DisplayName("stays with a mount in it, even of the same device, and the mount is named")
    void leavesWhatIsMounted(String where) throws Exception {
        Path folder = folder("own", "rwx------");
        Files.setPosixFilePermissions(precious, PosixFilePermissions.fromString("rwx------"));
        Files.writeString(folder.resolve("file"), "x");
        Path point = Files.createDirectories(folder.resolve(where).normalize());
        assumeTrue(mount("mount", "--bind", precious.toString(), point.toString()), "cannot mount here");
        try {
            assertThat(OwnFolder.remove(folder))
                    .get()
                    .asString()
                    .contains(point + " is left alone: something else is mounted there");
            nothingIsLost();
        } finally {
            assertThat(mount("umount", point.toString())).isTrue();
        }
        assertThat(OwnFolder.remove(folder)).isEmpty();
        assertThat(folder).doesNotExist();
        nothingIsLost();
    }

    @Test
    @DisplayName("stays with another mounted device in it")
    void leavesAnotherDevice() throws Exception {
        Path folder = folder("own", "rwx------");
        Path point = Files.createDirectories(folder.resolve("a/device"));
        assumeTrue(mount("mount", "-t", "tmpfs", "none", point.toString()), "cannot mount here");
        try {
            Files.writeString(point.resolve("thesis"), "years of work");
            assertThat(OwnFolder.remove(folder)).get().asString().contains(point + " is left alone");
            assertThat(point.resolve("thesis")).hasContent("years of work");
        } finally {
            assertThat(mount("umount", point.toString())).isTrue();
        }
    }

    @Test
    @DisplayName("is never the target of a link")
    void leavesALink() throws IOException {
        Files.setPosixFilePermissions(precious, PosixFilePermissions.fromString("rwx------"));
        Path link = Files.createSymbolicLink(temporary.resolve("link"), precious);
        assertThat(OwnFolder.remove(link)).get().asString().contains(link.toString(), "it is a link");
        assertThat(Files.isSymbolicLink(link)).isTrue();
        nothingIsLost();
    }

    @Test
    @DisplayName("is refused if others may enter it")
    void leavesAnOpenFolder() throws IOException {
        Path open = folder("open", "rwxr-xr-x");
        Files.writeString(open.resolve("file"), "x");
        assertThat(OwnFolder.remove(open)).get().asString().contains("its mode is rwxr-xr-x");
        assertThat(open.resolve("file")).exists();
    }

    @Test
    @DisplayName("is refused if it belongs to another user")
    void leavesAnothersFolder() throws IOException {
        Path other = folder("other", "rwx------");
        Files.writeString(other.resolve("file"), "x");
        try {
            Files.setOwner(
                    other, other.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        } catch (IOException e) {
            assumeTrue(false, "only root can give a folder away");
        }
        assertThat(OwnFolder.remove(other)).get().asString().contains("it belongs to nobody");
        assertThat(other.resolve("file")).exists();
    }

    @Test
    @DisplayName("is refused if it is a file; a missing folder needs no removal")
    void leavesAFile() throws IOException {
        Path file = Files.writeString(temporary.resolve("file"), "x");
        assertThat(OwnFolder.remove(file)).get().asString().contains("it is no folder");
        assertThat(file).exists();
        assertThat(OwnFolder.remove(temporary.resolve("nothing"))).isEmpty();
        assertThatThrownBy(() -> OwnFolder.open(temporary.resolve("nothing"))).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    @DisplayName("may be deeper than the number of descriptors")
    void removesADeepTree() throws Exception {
        Path folder = folder("deep", "rwx------");
        Process made = new ProcessBuilder(
                        "python3",
                        "-c",
                        "import os\nfor _ in range(5000):\n os.mkdir('d')\n open('f','w').close()\n os.chdir('d')")
                .directory(folder.toFile())
                .inheritIO()
                .start();
        assertThat(made.waitFor()).isZero();
        assertThat(OwnFolder.remove(folder)).isEmpty();
        assertThat(folder).doesNotExist();
    }

    @Test
    @DisplayName("stays the opened folder even if a rival replaces it, and no other folder is emptied")
    void survivesARival() throws Exception {
        Files.setPosixFilePermissions(precious, PosixFilePermissions.fromString("rwx------"));
        Path place = temporary.resolve("place");
        Path aside = temporary.resolve("aside");
        Path link = temporary.resolve("link");
        AtomicBoolean over = new AtomicBoolean();
        Thread rival = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                try {
                    Files.createSymbolicLink(link, precious);
                    Files.move(place, aside, StandardCopyOption.ATOMIC_MOVE);
                    Files.move(link, place, StandardCopyOption.ATOMIC_MOVE);
                    Files.delete(place);
                    Files.move(aside, place, StandardCopyOption.ATOMIC_MOVE);
                } catch (IOException e) {
                    tidy(link);
                }
            }
        });
        int removed = 0;
        for (int round = 0; round < ROUNDS; round++) {
            fill(place);
            removed += OwnFolder.remove(place).isEmpty() ? 1 : 0;
            nothingIsLost();
        }
        over.set(true);
        rival.join();
        nothingIsLost();
        assertThat(removed).as("rounds in which something could be removed").isPositive();
    }

    private static void fill(Path place) {
        try {
            if (!Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(
                        place, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            Files.createDirectories(place.resolve("photos"));
            for (int i = 0; i < 5; i++) {
                Files.writeString(place.resolve("photos").resolve("file" + i), "x");
            }
        } catch (IOException e) {
            // The rival was quicker.
        }
    }

    private static void tidy(Path link) {
        try {
            Files.deleteIfExists(link);
        } catch (IOException e) {
            // The next round does it.
        }
    }
}
