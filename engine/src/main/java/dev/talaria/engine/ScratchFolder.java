package dev.talaria.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// An owner-only folder with a short path for sockets; those of killed engines are swept away at the next start.
record ScratchFolder(Path path) implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ScratchFolder.class);
    private static final String PREFIX = "talaria-host-";
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /// A socket's path has room for 107 bytes.
    private static final int LONGEST = 50;

    static ScratchFolder create() {
        Path base = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
        if (base.toString().length() > LONGEST || !Files.isWritable(base)) {
            base = Path.of("/tmp");
        }
        sweep(base);
        try {
            String name = PREFIX + ProcessHandle.current().pid() + "-" + RandomBytes.hex(8);
            return new ScratchFolder(Files.createDirectory(base.resolve(name), OWNER_ONLY));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make a folder in " + base + ". Set TMPDIR to a writable one.", e);
        }
    }

    private static void sweep(Path base) {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(base, PREFIX + "*")) {
            for (Path folder : found) {
                if (owner(folder).filter(pid -> ProcessHandle.of(pid).isEmpty()).isPresent()) {
                    new ScratchFolder(folder).close();
                }
            }
        } catch (IOException e) {
            LOG.debug("Cannot sweep {}", base, e);
        }
    }

    private static Optional<Long> owner(Path folder) {
        try {
            String[] parts =
                    folder.getFileName().toString().substring(PREFIX.length()).split("-", 2);
            return Optional.of(Long.valueOf(parts[0]));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.debug("Cannot remove {}", path, e);
        }
    }
}
