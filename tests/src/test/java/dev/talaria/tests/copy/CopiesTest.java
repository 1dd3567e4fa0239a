package dev.talaria.tests.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.talaria.api.Cancellation;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.admin.CopyProgress;
import dev.talaria.engine.admin.CopyResult;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Copies files and folders into sandboxes and out of them, on each backend.
class CopiesTest extends CopyTests {
    static Stream<RunTarget> withPython() {
        return Stream.of(
                RunTargets.localUds(),
                RunTargets.localStream(),
                RunTargets.bubblewrapStream(),
                RunTargets.dockerStream(),
                RunTargets.sshUserStream());
    }

    static Stream<RunTarget> everywhere() {
        return Stream.concat(withPython(), Stream.of(RunTargets.dockerWithoutBash(), RunTargets.dockerBare()));
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void aFileGoesThereAndComesBack(RunTarget target) throws IOException {
        try (Engine engine = open(target)) {
            String there = there(engine);
            Path file = file("ten.bin", 10_000_001);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));

            CopyResult up = up(engine, file, there + "/new/");
            CopyResult down = down(engine, up.path(), folder.resolve("back.bin"));

            assertThat(up.path()).isEqualTo(there + "/new/ten.bin");
            assertThat(up.bytes()).isEqualTo(10_000_001);
            assertThat(folder.resolve("back.bin")).hasSameBinaryContentAs(file);
            assertThat(down.leftOut()).isEmpty();
            assertThat(sh(engine, "ls -lA " + there + "/new | tail -n +2"))
                    .startsWith("-rwxr-x---")
                    .doesNotContain(".part");
            sh(engine, "rm -r " + there);
        }
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void aToolWritesTenMegabytesAndAScriptReadsThem(RunTarget target) {
        try (Engine engine = open(target)) {
            String there = there(engine);
            String line = "0123456789".repeat(8) + "\n";
            String content = line.repeat(130_000);

            var written =
                    engine.call(ToolCall.of("write_file", Map.of("path", there + "/large.txt", "content", content)));
            var read = engine.call(
                    ToolCall.of("read_file", Map.of("path", there + "/large.txt", "offset", 129_999, "limit", 5)));

            assertThat(written.value()).containsEntry("bytes_written", content.length());
            assertThat(read.value()).containsEntry("total_lines", 130_000).containsEntry("file_size", content.length());
            assertThat(sh(engine, "wc -c < " + there + "/large.txt").strip())
                    .isEqualTo(String.valueOf(content.length()));
            sh(engine, "rm -r " + there);
        }
    }

    @ParameterizedTest
    @MethodSource("withPython")
    void aFolderGoesThereAndComesBack(RunTarget target) throws IOException {
        try (Engine engine = open(target)) {
            String there = there(engine);
            Path tree = Files.createDirectories(folder.resolve("tree"));
            Files.createDirectories(tree.resolve("a/b/empty"));
            Files.writeString(tree.resolve("a/plain.txt"), "plain");
            Files.writeString(tree.resolve("a/b/näme with spaces\nand a line"), "odd");
            Files.writeString(tree.resolve("x".repeat(180)), "long");
            Files.createSymbolicLink(tree.resolve("a/link"), Path.of("plain.txt"));
            Files.createSymbolicLink(tree.resolve("out"), Path.of("/etc/passwd"));
            Files.setPosixFilePermissions(tree.resolve("a/plain.txt"), PosixFilePermissions.fromString("rwx------"));

            CopyResult up = up(engine, tree, there);
            CopyResult down = down(engine, there + "/tree", folder.resolve("back"));

            assertThat(up.path()).isEqualTo(there + "/tree");
            assertThat(up.leftOut())
                    .hasSize(1)
                    .first()
                    .asString()
                    .startsWith("out ")
                    .contains("link");
            Path back = folder.resolve("back");
            assertThat(back.resolve("a/plain.txt")).hasContent("plain").isExecutable();
            assertThat(back.resolve("a/b/näme with spaces\nand a line")).hasContent("odd");
            assertThat(back.resolve("x".repeat(180))).hasContent("long");
            assertThat(back.resolve("a/b/empty")).isDirectory();
            assertThat(Files.readSymbolicLink(back.resolve("a/link"))).hasToString("plain.txt");
            assertThat(back.resolve("out")).doesNotExist();
            assertThat(down.files()).isEqualTo(4);
            sh(engine, "rm -r " + there);
        }
    }

    @Test
    void aFolderNeedsPythonAndSaysSo() throws IOException {
        try (Engine engine = open(RunTargets.dockerBare())) {
            Path tree = Files.createDirectories(folder.resolve("tree"));

            assertThatThrownBy(() -> up(engine, tree, "/tmp/"))
                    .isInstanceOfSatisfying(
                            SandboxException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED))
                    .hasMessageContaining("no Python");
        }
    }

    /// Finds the relay above a script and kills it.
    private static final String KILL_RELAY = """
            import os, signal
            pid = os.getpid()
            while True:
                with open("/proc/%d/stat" % pid) as f:
                    parent = int(f.read().rpartition(")")[2].split()[1])
                if parent < 1 or b"python" not in open("/proc/%d/cmdline" % parent, "rb").read().split(b"\\0")[0]:
                    break
                pid = parent
            os.kill(pid, signal.SIGKILL)
            """;

    static Stream<RunTarget> oneOfEachKind() {
        return Stream.of(RunTargets.localStream(), RunTargets.dockerStream(), RunTargets.sshUserStream());
    }

    @ParameterizedTest
    @MethodSource("oneOfEachKind")
    void aCopyGoesOnAfterTheRelayWasKilled(RunTarget target) throws IOException {
        try (Engine engine = open(target)) {
            String there = there(engine);
            Path file = file("large.bin", 64 << 20);
            AtomicBoolean cut = new AtomicBoolean();
            CopyProgress killing = (done, total) -> {
                if (done > total / 2 && cut.compareAndSet(false, true)) {
                    engine.call(ToolCall.of("execute_code", Map.of("code", KILL_RELAY)));
                }
            };

            CopyResult up = engine.copies().up(SESSION, file, there + "/large.bin", killing, new Cancellation());
            CopyResult down = down(engine, there + "/large.bin", folder.resolve("back.bin"));

            assertThat(cut).isTrue();
            assertThat(up.resumed()).isGreaterThan(16 << 20);
            assertThat(down.bytes()).isEqualTo(64 << 20);
            assertThat(folder.resolve("back.bin")).hasSameBinaryContentAs(file);
            sh(engine, "rm -r " + there);
        }
    }

    @Test
    void aDownloadGoesOnWithWhatIsHere() throws IOException {
        try (Engine engine = open(RunTargets.localStream())) {
            Path file = file("large.bin", 32 << 20);
            Cancellation cancellation = new Cancellation();
            Path back = folder.resolve("back.bin");

            assertThatThrownBy(() -> engine.copies()
                            .down(
                                    SESSION,
                                    file.toString(),
                                    back,
                                    MUCH,
                                    (done, _) -> {
                                        if (done > 20 << 20) {
                                            cancellation.cancel("enough");
                                        }
                                    },
                                    cancellation))
                    .isInstanceOf(CancellationException.class);
            assertThat(back).doesNotExist();
            CopyResult second = down(engine, file.toString(), back);

            assertThat(second.resumed()).isGreaterThan(16 << 20);
            assertThat(back).hasSameBinaryContentAs(file);
            assertThat(parts()).isZero();
        }
    }

    @Test
    void whatChangedMeanwhileIsCopiedFromTheStart() throws IOException {
        try (Engine engine = open(RunTargets.localStream())) {
            Path file = file("large.bin", 32 << 20);
            Path there = folder.resolve("there.bin");
            Cancellation cancellation = new Cancellation();
            CopyProgress half = (done, total) -> {
                if (done > total / 2) {
                    cancellation.cancel("enough");
                }
            };
            assertThatThrownBy(() -> engine.copies().up(SESSION, file, there.toString(), half, cancellation))
                    .isInstanceOf(CancellationException.class);
            FileTime time = Files.getLastModifiedTime(file);
            try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
                open.write("changed".getBytes(StandardCharsets.UTF_8));
            }
            Files.setLastModifiedTime(file, time);

            CopyResult again = up(engine, file, there.toString());

            assertThat(again.resumed()).isZero();
            assertThat(there).hasSameBinaryContentAs(file);
        }
    }

    @Test
    void oldPartsAreSwept() throws IOException {
        try (Engine engine = open(RunTargets.localStream())) {
            Path old = Files.writeString(folder.resolve(".talaria-0123456789abcdef.part"), "left");
            Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(100_000)));
            Path young = Files.writeString(folder.resolve(".talaria-1123456789abcdef.part"), "left");

            up(engine, file("small", 10), folder.resolve("there").toString());

            assertThat(old).doesNotExist();
            assertThat(young).exists();
        }
    }

    private long parts() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".part")).count();
        }
    }

    @Test
    void whatCannotBeCopiedIsSaid() throws IOException {
        try (Engine engine = open(RunTargets.localStream())) {
            Path file = file("small", 10);
            Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("/etc/hostname"));
            String there = folder.resolve("there").toString();

            assertThatThrownBy(() -> up(engine, folder.resolve("none"), there)).hasMessageContaining("There is no");
            assertThatThrownBy(() -> down(engine, folder.resolve("none").toString(), folder.resolve("x")))
                    .isInstanceOfSatisfying(
                            SandboxException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_NOT_FOUND));
            assertThatThrownBy(() -> down(engine, "/dev/zero", folder.resolve("x")))
                    .hasMessageContaining("Not a regular file");
            assertThatThrownBy(() -> down(engine, file.toString(), link)).hasMessageContaining("is a link");
            assertThatThrownBy(() -> down(engine, file.toString(), folder.resolve("no/such/place")))
                    .hasMessageContaining("There is no folder");
            assertThatThrownBy(() -> engine.copies()
                            .down(
                                    SESSION,
                                    file.toString(),
                                    folder.resolve("x"),
                                    5,
                                    CopyProgress.NONE,
                                    new Cancellation()))
                    .hasMessageContaining("at most 5");
            assertThat(folder.resolve("x")).doesNotExist();
        }
    }
}
