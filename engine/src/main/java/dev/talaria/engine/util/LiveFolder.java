package dev.talaria.engine.util;

import dev.talaria.api.OwnFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A folder of this process that no other user can enter. A file in it is locked as long as the process lives, so
/// that later processes can tell and remove the folder of a killed one. Process ids alone do not tell, since each
/// container has its own.
public final class LiveFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LiveFolder.class);
    private static final Path LOCK = Path.of("lock");

    /// The folders of this process. The sweep must not open their lock files: closing such a file would free its
    /// lock.
    private static final Set<Path> MINE = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel lock;

    private LiveFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /// Makes a folder.
    ///
    /// @param prefix the beginning of the names of all such folders; the process id follows
    public static LiveFolder create(Path base, String prefix) throws IOException {
        Path path =
                base.toAbsolutePath().resolve(prefix + ProcessHandle.current().pid() + "-" + RandomBytes.hex(8));
        MINE.add(path);
        Files.createDirectory(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        // The file gets its name after it is locked: a sweep of another process must never find it unlocked.
        Path unnamed = path.resolve("lock.new");
        FileChannel channel = OwnerOnly.open(unnamed, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            var _ = channel.lock();
        } catch (IOException e) {
            LOG.debug("{} cannot be locked; its name tells whose it is", path, e); // some network file systems
        }
        Files.move(unnamed, path.resolve(LOCK), StandardCopyOption.ATOMIC_MOVE);
        return new LiveFolder(path, channel);
    }

    public Path path() {
        return path;
    }

    /// Removes the folders of processes that have ended.
    ///
    /// @return a sentence for each file or folder with such a name that was left alone
    public static List<String> sweep(Path base, String prefix) {
        List<String> left = new ArrayList<>();
        for (Path found : found(base, prefix)) {
            if (!MINE.contains(found.toAbsolutePath())) {
                sweepOne(found, prefix).ifPresent(left::add);
            }
        }
        return left;
    }

    private static List<Path> found(Path base, String prefix) {
        List<Path> all = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(base, prefix + "*")) {
            found.forEach(all::add);
        } catch (IOException | DirectoryIteratorException e) {
            LOG.debug("Cannot sweep {}", base, e);
        }
        return all;
    }

    private static Optional<String> sweepOne(Path found, String prefix) {
        Optional<Long> number = numberOf(found, prefix);
        boolean living = number.flatMap(ProcessHandle::of).isPresent();
        try (OwnFolder folder = OwnFolder.open(found);
                Claim claim = Claim.of(folder, number.isPresent() && !living)) {
            return claim.ours() ? folder.remove() : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (OwnFolder.LeftAloneException e) { // a living Talaria of another user may have it
            return living ? Optional.empty() : Optional.of(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return Optional.of(found + " is left: " + e);
        }
    }

    /// Holds the lock of a folder while the folder is removed.
    ///
    /// @param ours whether the folder's process has ended, so that this process may remove the folder
    /// @param held the open lock file
    private record Claim(boolean ours, Optional<FileChannel> held) implements AutoCloseable {

        /// @param ended whether no process has the id in the folder's name
        static Claim of(OwnFolder folder, boolean ended) throws IOException {
            Optional<FileChannel> file = folder.file(LOCK);
            try {
                if (file.isPresent()) {
                    FileLock lock = file.get().tryLock();
                    return new Claim(lock != null, file);
                }
            } catch (IOException e) { // the file system has no locks
                LOG.debug("{} cannot be locked", folder.path(), e);
            }
            // A folder without a lock was just made, or an old version made it.
            return new Claim(ended, file);
        }

        @Override
        public void close() throws IOException {
            if (held.isPresent()) {
                held.get().close();
            }
        }
    }

    /// Returns the id of the process that made the folder.
    private static Optional<Long> numberOf(Path folder, String prefix) {
        try {
            String name = folder.getFileName().toString().substring(prefix.length());
            return Optional.of(Long.valueOf(name.substring(0, Math.max(0, name.indexOf('-')))));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /// Removes the folder.
    @Override
    public void close() {
        OwnFolder.remove(path).ifPresent(left -> LOG.warn("{}", left));
        try {
            lock.close();
        } catch (IOException e) {
            LOG.debug("Closing the lock of {}", path, e);
        }
        MINE.remove(path);
    }
}
