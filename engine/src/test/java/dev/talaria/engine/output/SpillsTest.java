package dev.talaria.engine.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillsTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    @TempDir
    Path parent;

    private Spills spills(long each, long total) {
        return new Spills(folder(), new SpillLimits(each, total, Duration.ofDays(7)), InstantSource.fixed(NOW));
    }

    private Path folder() {
        return parent.resolve("state/spills");
    }

    private static SpillTarget.Result spill(SpillTarget target, int bytes) {
        SpillTarget.Sink sink = target.open(Redactor.Mode.CODE);
        sink.write(ByteBuffer.allocate(bytes));
        return sink.finish();
    }

    private void age(Path file, Duration age) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(NOW.minus(age)));
    }

    @Test
    void folderAndFilesAreTheOwnersAlone() throws IOException {
        Path file = spill(spills(1000, 10_000).session(), 5).file().orElseThrow();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder())))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Files.size(file)).isEqualTo(5);
    }

    @Test
    void aFolderOpenToOthersIsClosed() throws IOException {
        Files.createDirectories(folder());
        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxr-xr-x"));

        spill(spills(1000, 10_000).session(), 5);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder())))
                .isEqualTo("rwx------");
    }

    @Test
    void whatASandboxIsShownHasAFolderOfItsOwnAndCountsAsAllOthers() throws IOException {
        Spills spills = spills(1000, 1500);
        Spills.SessionSpills session = spills.session();
        SpillTarget shown = session.in("0123456789ab");

        Path first = spill(shown, 1000).file().orElseThrow();
        age(first, Duration.ofHours(1));
        Path second = spill(shown, 1000).file().orElseThrow();

        assertThat(second).hasParent(folder().resolve("0123456789ab")).exists();
        assertThat(session.owns(second)).isTrue();
        assertThat(first).as("made room").doesNotExist();
        age(second, Duration.ofDays(8));
        age(second.getParent(), Duration.ofDays(8));
        assertThat(spills.sweep()).isEqualTo(1);
        age(second.getParent(), Duration.ofDays(8));
        spills.sweep();
        assertThat(folder()).isEmptyDirectory();
    }

    @Test
    void aSessionOwnsWhatItMadeAndNothingElse() {
        Spills spills = spills(1000, 10_000);
        Spills.SessionSpills mine = spills.session();
        Spills.SessionSpills other = spills.session();

        Path file = spill(mine, 5).file().orElseThrow();

        assertThat(mine.owns(file)).isTrue();
        assertThat(mine.owns(file.getParent().resolve("./" + file.getFileName())))
                .isTrue();
        assertThat(other.owns(file)).isFalse();
        assertThat(mine.owns(folder().resolve("spill-else.log"))).isFalse();
        assertThat(file.getFileName().toString()).matches("spill-[0-9a-f]{32}\\.log");
    }

    @Test
    void aFileKeepsTheFirstBytesUpToItsLimit() throws IOException {
        SpillTarget.Sink sink = spills(1000, 10_000).session().open(Redactor.Mode.CODE);
        sink.write(ByteBuffer.allocate(900));
        sink.write(ByteBuffer.allocateDirect(900));
        sink.write(ByteBuffer.allocate(900));

        SpillTarget.Result kept = sink.finish();

        assertThat(Files.size(kept.file().orElseThrow())).isEqualTo(1000);
        assertThat(kept.note()).hasValue("The file holds the first 1,000 bytes; 1,700 more were not saved.");
        assertThat(sink.finish()).isEqualTo(kept);
    }

    @Test
    void theOldestMakeRoom() throws IOException {
        Spills.SessionSpills session = spills(1000, 3000).session();
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            files.add(spill(session, 1000).file().orElseThrow());
        }
        age(files.get(0), Duration.ofHours(1));
        age(files.get(1), Duration.ofHours(3));
        age(files.get(2), Duration.ofHours(2));

        Path newest = spill(session, 1000).file().orElseThrow();

        assertThat(files.get(1)).doesNotExist();
        assertThat(files.get(0)).exists();
        assertThat(files.get(2)).exists();
        assertThat(newest).exists();
    }

    @Test
    void filesBeingWrittenAreNotRemoved() {
        Spills.SessionSpills session = spills(1000, 1500).session();
        SpillTarget.Sink first = session.open(Redactor.Mode.CODE);
        first.write(ByteBuffer.allocate(1000));

        SpillTarget.Result second = spill(session, 1000);

        assertThat(second.file()).isEmpty();
        assertThat(second.note()).hasValue("The full output could not be saved: the spill folder is full.");
        assertThat(first.finish().file().orElseThrow()).exists();
    }

    @Test
    void oldFilesAreSweptAndOthersLeftAlone() throws IOException {
        Spills spills = spills(1000, 10_000);
        Path old = spill(spills.session(), 5).file().orElseThrow();
        Path fresh = spill(spills.session(), 5).file().orElseThrow();
        Path foreign = Files.createFile(folder().resolve("notes.txt"));
        Path link = Files.createSymbolicLink(folder().resolve("spill-link.log"), foreign);
        age(old, Duration.ofDays(8));
        age(fresh, Duration.ofDays(6));
        age(foreign, Duration.ofDays(30));

        assertThat(spills.sweep()).isEqualTo(1);

        assertThat(old).doesNotExist();
        assertThat(fresh).exists();
        assertThat(foreign).exists();
        assertThat(Files.isSymbolicLink(link)).isTrue();
    }

    @Test
    void sweepingWithoutAFolderIsNothing() {
        assertThat(spills(1000, 10_000).sweep()).isZero();
    }

    @Test
    void aFolderThatCannotBeIsToldAndFailsNothing() throws IOException {
        Path elsewhere = Files.createDirectories(parent.resolve("elsewhere"));
        Files.createDirectories(folder().getParent());
        Files.createSymbolicLink(folder(), elsewhere);

        SpillTarget.Result kept = spill(spills(1000, 10_000).session(), 5);

        assertThat(kept.file()).isEmpty();
        assertThat(kept.note().orElseThrow())
                .startsWith("The full output could not be saved: ")
                .contains("is not a folder");
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void aFullDiskIsToldAndFailsNothing() {
        // /dev/full answers every write with "No space left on device"
        var sink = new SpillFile(spills(1000, 10_000), Path.of("/dev/full"), 1000);
        sink.write(ByteBuffer.allocate(10));

        assertThat(sink.problem())
                .hasValueSatisfying(problem -> assertThat(problem).contains("No space left"));
    }

    @Test
    void anInterruptedReaderStillSpills() {
        Spills.SessionSpills session = spills(1000, 10_000).session();
        Thread.currentThread().interrupt();

        SpillTarget.Result kept = spill(session, 5);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(kept.file()).isPresent();
        assertThat(kept.note()).isEmpty();
    }

    @Test
    void limitsMustMakeSense() {
        assertThatThrownBy(() -> new SpillLimits(10, 5, Duration.ofDays(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
