package dev.talaria.engine.tool.process;

import dev.talaria.api.OwnFolder;
import dev.talaria.api.Reason;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.util.LiveFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The folder for the logs of an engine's processes, below the state folder. It is created when the first process
/// starts. The next engine removes the folders of killed engines.
final class ProcessFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessFolder.class);
    static final String PREFIX = "run-";

    private final Path base;
    private @Nullable LiveFolder mine; // guarded by this

    ProcessFolder(Folders folders) {
        this.base = folders.processes();
    }

    Path log(String id) {
        return path().resolve(id + ".log");
    }

    /// Returns the folder, and creates it on first use.
    synchronized Path path() {
        try {
            LiveFolder folder = mine;
            if (folder == null) {
                Folders.create(base);
                sweep();
                folder = LiveFolder.create(base, PREFIX);
                mine = folder;
            }
            return folder.path();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Cannot make a folder in " + base + " (" + Reason.of(e) + "). Make it writable, or make room.", e);
        }
    }

    /// Removes the folders of killed engines.
    void sweep() {
        LiveFolder.sweep(base, PREFIX).forEach(left -> LOG.warn("{}", left));
    }

    synchronized void remove(String id) {
        if (mine != null) {
            new ProcessLog(mine.path().resolve(id + ".log")).delete();
            new ProcessLog(mine.path().resolve(id + PublishedProcess.SUFFIX)).delete();
        }
    }

    /// Removes the folder of a surviving process, or of one that never began.
    static void delete(Path folder) {
        OwnFolder.remove(folder).ifPresent(left -> LOG.warn("{}", left));
    }

    /// Removes this engine's logs.
    @Override
    public synchronized void close() {
        if (mine != null) {
            mine.close();
        }
    }
}
