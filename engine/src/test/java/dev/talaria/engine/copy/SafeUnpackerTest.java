package dev.talaria.engine.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.talaria.api.SandboxException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Archives that no honest sandbox sends.
class SafeUnpackerTest {
    @TempDir
    Path folder;

    private Path root = Path.of("/");
    private final ByteArrayOutputStream archive = new ByteArrayOutputStream();
    private final TarWriter tar = new TarWriter(archive);

    @BeforeEach
    void makeRoot() throws IOException {
        root = Files.createDirectory(folder.toRealPath().resolve("root"));
        Files.writeString(folder.resolve("outside"), "untouched");
    }

    private void file(String name, String content) throws IOException {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        tar.add(new TarEntry(name, TarEntry.Kind.FILE, bytes.length, 06777, 1, ""), new ByteArrayInputStream(bytes));
    }

    private void link(String name, String to) throws IOException {
        tar.add(new TarEntry(name, TarEntry.Kind.LINK, 0, 0777, 1, to));
    }

    private SafeUnpacker unpack(int piece) throws IOException {
        tar.close();
        byte[] bytes = archive.toByteArray();
        try (SafeUnpacker unpacker = new SafeUnpacker(root, 1 << 20)) {
            TarReader reader = new TarReader(unpacker);
            for (int at = 0; at < bytes.length; at += piece) {
                reader.accept(ByteBuffer.wrap(bytes, at, Math.min(piece, bytes.length - at)));
            }
            assertThat(reader.over()).isTrue();
            return unpacker;
        }
    }

    private long everything() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.count();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"../outside", "/outside", "a/../../outside", "..", "a//b", "./x", "a/.."})
    void aNameThatLeadsElsewhereIsRefused(String name) throws IOException {
        long before = everything();
        file(name, "evil");

        SafeUnpacker unpacker = unpack(100_000);

        assertThat(unpacker.files()).isZero();
        assertThat(unpacker.notes()).hasSize(1);
        assertThat(folder.resolve("outside")).hasContent("untouched");
        assertThat(everything()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc", "..", "../outside", "a/../../outside", "a/..", ""})
    void aLinkThatLeadsOutIsRefused(String to) throws IOException {
        link("link", to);

        assertThat(unpack(100_000).files()).isZero();
        assertThat(root.resolve("link")).doesNotExist();
    }

    @Test
    void linksDoNotLeadOutTogether() throws IOException {
        link("x/y/top", "../..");
        link("evil", "x/y/top/../outside");
        file("x/y/top/through", "evil");

        SafeUnpacker unpacker = unpack(100_000);

        assertThat(unpacker.files()).isEqualTo(1);
        assertThat(Files.isSymbolicLink(root.resolve("evil"))).isFalse();
        assertThat(root.resolve("through")).doesNotExist();
    }

    @Test
    void aLinkThatStandsHereIsNotFollowed() throws IOException {
        Files.createSymbolicLink(root.resolve("link"), folder);
        Files.createSymbolicLink(root.resolve("file"), folder.resolve("outside"));
        file("link/outside", "evil");
        file("file", "new");

        SafeUnpacker unpacker = unpack(7);

        assertThat(unpacker.notes()).hasSize(1);
        assertThat(folder.resolve("outside")).hasContent("untouched");
        assertThat(Files.isSymbolicLink(root.resolve("file"))).isFalse();
        assertThat(root.resolve("file")).hasContent("new");
    }

    /// Whoever can write into the folder while it is filled does its worst: it swaps a folder for a link and back.
    @Test
    void aLinkThatComesMeanwhileIsNotFollowed() throws Exception {
        Path outside = Files.createDirectories(folder.resolve("elsewhere/b"));
        Path inside = root.resolve("a");
        for (int i = 0; i < 10; i++) {
            file("a/b/file" + i, "x");
            link("a/b/link" + i, "file" + i);
            file("a/b/new" + i + "/file", "x");
        }
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger swaps = new AtomicInteger();
        Thread rival = Thread.ofPlatform().daemon().start(() -> {
            for (int tries = 0; !over.get(); tries++) {
                try {
                    Files.move(inside, root.resolve("aside" + tries), StandardCopyOption.ATOMIC_MOVE);
                    Files.createSymbolicLink(inside, outside.getParent());
                    swaps.incrementAndGet();
                    Files.delete(inside);
                } catch (IOException e) {
                    Thread.onSpinWait(); // it is made anew
                }
            }
        });
        for (int round = 0; round < 300; round++) {
            try {
                unpack(100_000);
            } catch (UncheckedIOException e) {
                // A folder that is swapped again and again may end it.
            }
        }
        over.set(true);
        rival.join();

        assertThat(swaps).hasPositiveValue();
        try (Stream<Path> strays = Files.walk(outside.getParent())) {
            assertThat(strays).containsExactlyInAnyOrder(outside.getParent(), outside);
        }
    }

    @Test
    void nothingBecomesSetUserIdOrWritableForOthers() throws IOException {
        file("program", "x");

        unpack(513);

        assertThat((int) Files.getAttribute(root.resolve("program"), "unix:mode") & 07777)
                .isEqualTo(0755);
    }

    @Test
    void aFileDoesNotReplaceAFolder() throws IOException {
        Files.createDirectories(root.resolve("kept/inside"));
        file("kept", "evil");

        assertThat(unpack(512).notes()).hasSize(1);
        assertThat(root.resolve("kept/inside")).isDirectory();
    }

    @Test
    void hardLinksAndDevicesAreRefused() throws IOException {
        file("a", "1");
        byte[] bytes = archive.toByteArray();
        for (char kind : new char[] {'1', '3', '4', '6'}) {
            byte[] header = Arrays.copyOf(bytes, TarReader.BLOCK);
            header[0] = (byte) kind;
            header[156] = (byte) kind;
            Arrays.fill(header, 124, 135, (byte) '0');
            checksum(header);
            archive.writeBytes(header);
        }

        SafeUnpacker unpacker = unpack(1000);

        assertThat(unpacker.files()).isEqualTo(1);
        assertThat(unpacker.notes()).hasSize(4);
    }

    private static void checksum(byte[] header) {
        Arrays.fill(header, 148, 156, (byte) ' ');
        int sum = 0;
        for (byte b : header) {
            sum += b & 0xff;
        }
        System.arraycopy(String.format("%06o\0 ", sum).getBytes(StandardCharsets.US_ASCII), 0, header, 148, 8);
    }

    @Test
    void moreThanAllowedIsRefused() throws IOException {
        file("a", "x".repeat(1 << 19));
        file("b", "x".repeat(1 << 19));
        file("c", "x");

        assertThatThrownBy(() -> unpack(4096)).isInstanceOf(SandboxException.class);
        assertThat(root.resolve("c")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"no archive", "\u0000", "x"})
    void whatIsNoArchiveIsRefused(String text) {
        byte[] block = Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8), TarReader.BLOCK);
        block[300] = 1;

        assertThatThrownBy(() -> new TarReader(new SafeUnpacker(root, 1)).accept(ByteBuffer.wrap(block)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aNameIsShownWithoutWhatATerminalObeys() throws IOException {
        file("../\u001b[2Jname", "evil");

        assertThat(unpack(512).notes().getFirst()).startsWith("../?[2Jname ");
    }
}
