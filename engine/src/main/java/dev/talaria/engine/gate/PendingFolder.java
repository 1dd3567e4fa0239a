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

/// The folder of the pending questions, open and locked. It belongs to this user alone, no link leads
/// out of it, and its files are reached through its descriptor. Anything else in it is left and
/// named.
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

    /// Excludes other threads of this process: file locks are per process.
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
    /// @return nothing if there is no folder and `make` is false
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

    @SuppressWarnings("StreamResourceLeak") // secure() passes the stream on
    private static SecureDirectoryStream<Path> enter(Folders folders) throws IOException {
        try (SecureDirectoryStream<Path> state = secure(Files.newDirectoryStream(folders.state()), folders.state());
                SecureDirectoryStream<Path> approvals = enter(state, folders.approvals())) {
            return enter(approvals, folders.approvals().resolve("pending"));
        }
    }

    @SuppressWarnings("StreamResourceLeak") // the caller closes it
    private static SecureDirectoryStream<Path> enter(SecureDirectoryStream<Path> above, Path path) throws IOException {
        try {
            Files.createDirectory(path, FOLDER_ONLY);
        } catch (FileAlreadyExistsException e) {
            // The folder is checked below, whoever made it.
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
            // The lock file is created below.
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

    /// Returns the names of all files except our own helper files.
    List<String> names() throws IOException {
        List<String> names = new ArrayList<>();
        try (SecureDirectoryStream<Path> again = folder.newDirectoryStream(SELF, LinkOption.NOFOLLOW_LINKS)) {
            for (Path found : again) {
                String name = String.valueOf(found.getFileName());
                if (name.startsWith(FRESH)) {
                    folder.deleteFile(Path.of(name)); // its writer was killed: we hold the lock
                } else if (!name.equals(LOCK.toString())) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    /// Returns a file's content.
    ///
    /// @throws IOException that names the file, if it is not ours
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

    /// Writes a file. A reader sees either the old content or the new one.
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

    /// Removes a file, and returns whether it existed.
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
