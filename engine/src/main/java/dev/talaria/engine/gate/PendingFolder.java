package dev.talaria.engine.gate;

import dev.talaria.api.OwnUser;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.util.RandomBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// The folder that pending questions are in, held open and locked. It is ours alone, no link leads out of it, and its
/// files are reached from its descriptor. Whatever is something else is left and named.
final class PendingFolder implements AutoCloseable {
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<Set<PosixFilePermission>> FOLDER_ONLY =
            PosixFilePermissions.asFileAttribute(FOLDER);
    private static final FileAttribute<Set<PosixFilePermission>> FILE_ONLY = PosixFilePermissions.asFileAttribute(FILE);
    private static final Path LOCK = Path.of("lock");
    private static final Path SELF = Path.of(".");
    private static final String FRESH = ".new-";
    private static final int LARGEST = 1 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(10);

    /// File locks are per process; this one is for the threads inside of ours.
    private static final ReentrantLock OURS = new ReentrantLock();

    private final Path path;
    private final SecureDirectoryStream<Path> folder;
    private final FileChannel channel;
    private final FileLock lock;

    private PendingFolder(Path path, SecureDirectoryStream<Path> folder, FileChannel channel, FileLock lock) {
        this.path = path;
        this.folder = folder;
        this.channel = channel;
        this.lock = lock;
    }

    /// Opens the folder and locks it.
    ///
    /// @return nothing if there is none and it is not to be made
    static Optional<PendingFolder> open(Folders folders, boolean make) throws IOException {
        Path path = folders.approvals().resolve("pending");
        if (!make && !Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        Folders.create(folders.state());
        try {
            if (!OURS.tryLock(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
                throw busy(path);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted.", e);
        }
        try {
            return Optional.of(locked(path, enter(folders)));
        } catch (IOException | RuntimeException e) {
            OURS.unlock();
            throw e;
        }
    }

    @SuppressWarnings("StreamResourceLeak") // secure() passes it on
    private static SecureDirectoryStream<Path> enter(Folders folders) throws IOException {
        try (SecureDirectoryStream<Path> state = secure(Files.newDirectoryStream(folders.state()), folders.state());
                SecureDirectoryStream<Path> approvals = enter(state, folders.approvals())) {
            return enter(approvals, folders.approvals().resolve("pending"));
        }
    }

    @SuppressWarnings("StreamResourceLeak") // whoever gets it closes it
    private static SecureDirectoryStream<Path> enter(SecureDirectoryStream<Path> above, Path path) throws IOException {
        try {
            Files.createDirectory(path, FOLDER_ONLY);
        } catch (FileAlreadyExistsException e) {
            // It is looked at below, whoever made it.
        }
        Path name = Optional.ofNullable(path.getFileName()).orElseThrow();
        requireOurs(look(above, name), true, path);
        SecureDirectoryStream<Path> entered;
        try {
            entered = above.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
        } catch (NotDirectoryException e) {
            throw new IOException(path + " is left alone: it was just replaced.", e);
        }
        try {
            requireOurs(
                    entered.getFileAttributeView(PosixFileAttributeView.class).readAttributes(), true, path);
            return entered;
        } catch (IOException | RuntimeException e) {
            entered.close();
            throw e;
        }
    }

    private static PendingFolder locked(Path path, SecureDirectoryStream<Path> folder) throws IOException {
        try {
            FileChannel channel = lockFile(path, folder);
            try {
                long end = System.nanoTime() + PATIENCE.toNanos();
                while (true) {
                    FileLock lock = channel.tryLock();
                    if (lock != null) {
                        return new PendingFolder(path, folder, channel, lock);
                    }
                    if (end - System.nanoTime() < 0) {
                        throw busy(path);
                    }
                    Thread.sleep(LOOK_AGAIN);
                }
            } catch (InterruptedException e) {
                channel.close();
                Thread.currentThread().interrupt();
                throw new IOException("Interrupted.", e);
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    private static FileChannel lockFile(Path path, SecureDirectoryStream<Path> folder) throws IOException {
        try {
            requireOurs(look(folder, LOCK), false, path.resolve(LOCK));
        } catch (NoSuchFileException e) {
            // It is made now.
        }
        Set<OpenOption> options =
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        if (folder.newByteChannel(LOCK, options, FILE_ONLY) instanceof FileChannel channel) {
            return channel;
        }
        throw new IOException(path + " cannot be locked.");
    }

    private static IOException busy(Path path) {
        return new IOException(path + " is locked by another process.");
    }

    private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> opened, Path path) throws IOException {
        if (opened instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        opened.close();
        throw new IOException(path + " cannot be held open on this system.");
    }

    private static PosixFileAttributes look(SecureDirectoryStream<Path> folder, Path name) throws IOException {
        return folder.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
    }

    private static void requireOurs(PosixFileAttributes found, boolean directory, Path path) throws IOException {
        String left = path + " is left alone: ";
        if (found.isSymbolicLink()) {
            throw new IOException(left + "it is a link.");
        }
        if (directory ? !found.isDirectory() : !found.isRegularFile()) {
            throw new IOException(left + "it is no " + (directory ? "folder." : "file."));
        }
        if (!found.owner().equals(OwnUser.principal())) {
            throw new IOException(left + "it belongs to " + found.owner().getName() + ".");
        }
        if (!found.permissions().equals(directory ? FOLDER : FILE)) {
            throw new IOException(
                    left + "its mode is " + PosixFilePermissions.toString(found.permissions()) + ", open to others.");
        }
    }

    Path path() {
        return path;
    }

    /// Returns the names of all files but our own helpers.
    List<String> names() throws IOException {
        List<String> names = new ArrayList<>();
        try (SecureDirectoryStream<Path> again = folder.newDirectoryStream(SELF, LinkOption.NOFOLLOW_LINKS)) {
            for (Path found : again) {
                String name = String.valueOf(found.getFileName());
                if (name.startsWith(FRESH)) {
                    folder.deleteFile(Path.of(name)); // whoever wrote it was killed: we have the lock
                } else if (!name.equals(LOCK.toString())) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    /// Returns what a file holds.
    ///
    /// @throws IOException that names it, if it is not a file of ours
    byte[] read(String name) throws IOException {
        requireOurs(look(folder, Path.of(name)), false, path.resolve(name));
        try (SeekableByteChannel file =
                folder.newByteChannel(Path.of(name), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            byte[] bytes = Channels.newInputStream(file).readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new IOException(path.resolve(name) + " is left alone: it is too large.");
            }
            return bytes;
        }
    }

    /// Writes a file. Whoever reads it sees the old content or the new.
    void write(String name, byte[] content) throws IOException {
        Path fresh = Path.of(FRESH + RandomBytes.hex(4));
        Set<OpenOption> options =
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        try (SeekableByteChannel file = folder.newByteChannel(fresh, options, FILE_ONLY)) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                var _ = file.write(bytes);
            }
        }
        folder.move(fresh, folder, Path.of(name));
    }

    /// Removes a file, and says whether it was there.
    boolean delete(String name) throws IOException {
        try {
            folder.deleteFile(Path.of(name));
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        try (folder;
                channel) {
            lock.release();
        } finally {
            OURS.unlock();
        }
    }
}
