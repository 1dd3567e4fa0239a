package dev.talaria.engine.process;

import dev.talaria.engine.RandomBytes;
import dev.talaria.engine.config.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where an engine logs what its processes print: a folder of its own below the state folder, made when the first
/// process starts. What a killed engine left is removed by the next one.
final class ProcessFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessFolder.class);
    static final String PREFIX = "run-";

    private final Path base;
    private @Nullable Path mine; // guarded by this

    ProcessFolder(Folders folders) {
        this.base = folders.processes();
    }

    Path log(String id) {
        return path().resolve(id + ".log");
    }

    /// Returns the folder, which is made if need be.
    synchronized Path path() {
        try {
            Path folder = mine;
            if (folder == null) {
                Folders.create(base);
                sweep();
                String name = PREFIX + ProcessHandle.current().pid() + "-" + RandomBytes.hex(4);
                folder = Folders.create(base.resolve(name));
                mine = folder;
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make a folder in " + base + ". Make it writable.", e);
        }
    }

    synchronized void remove(String id) {
        if (mine != null) {
            new ProcessLog(mine.resolve(id + ".log")).delete();
            new ProcessLog(mine.resolve(id + Owned.SUFFIX)).delete();
        }
    }

    private void sweep() throws IOException {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(base, PREFIX + "*")) {
            for (Path folder : found) {
                if (owner(folder).filter(pid -> ProcessHandle.of(pid).isEmpty()).isPresent()) {
                    delete(folder);
                }
            }
        }
    }

    private static Optional<Long> owner(Path folder) {
        try {
            String name = folder.getFileName().toString().substring(PREFIX.length());
            return Optional.of(Long.valueOf(name.substring(0, Math.max(0, name.indexOf('-')))));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    static void delete(Path folder) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            LOG.debug("Cannot remove {}", folder, e);
        }
    }

    /// Removes this engine's logs.
    @Override
    public synchronized void close() {
        if (mine != null) {
            delete(mine);
        }
    }
}
