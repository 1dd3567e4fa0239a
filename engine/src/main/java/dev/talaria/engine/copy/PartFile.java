package dev.talaria.engine.copy;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.OwnUser;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.util.RandomBytes;
import dev.talaria.engine.util.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/// A file that is being downloaded. It lies beside its target until it is complete. After an interruption the next
/// try goes on with it.
final class PartFile implements AutoCloseable {
    private static final Duration STALE = Duration.ofDays(1);
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private final Path path;
    private final FileChannel channel;
    private boolean keep = true;

    private PartFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /// Opens the file of an earlier try, or a new one. Files that no copy has used for a day are removed.
    ///
    /// @param name the name of the copy, which is the same for each try
    static PartFile beside(Path target, String name) throws IOException {
        Path folder = target.getParent();
        if (folder == null) {
            throw new SandboxException(ErrorCode.FILE_REFUSED, target + " cannot be replaced.");
        }
        sweep(folder);
        Path earlier = folder.resolve(".talaria-" + name + ".part");
        if (Files.exists(earlier, LinkOption.NOFOLLOW_LINKS)
                && !ours(Files.readAttributes(earlier, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS))) {
            return of(folder, RandomBytes.hex(8)); // its owner could still write to it
        }
        PartFile known = of(folder, name);
        try {
            FileLock lock = known.channel.tryLock();
            if (lock != null) {
                return known;
            }
        } catch (OverlappingFileLockException e) {
            // Another copy of this process has it.
        }
        known.channel.close();
        return of(folder, RandomBytes.hex(8));
    }

    private static PartFile of(Path folder, String name) throws IOException {
        Path path = folder.resolve(".talaria-" + name + ".part");
        return new PartFile(
                path,
                FileChannel.open(
                        path,
                        Set.of(
                                StandardOpenOption.CREATE,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE,
                                LinkOption.NOFOLLOW_LINKS),
                        PosixFilePermissions.asFileAttribute(OWNER_ONLY)));
    }

    /// Removes old files of interrupted copies. The folder may belong to anybody, so only files of this user are
    /// removed, and the folder is held open: swapping it for another has no effect.
    private static void sweep(Path folder) throws IOException {
        Instant stale = Instant.now().minus(STALE);
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, ".talaria-*.part")) {
            if (found instanceof SecureDirectoryStream<Path> parts) {
                for (Path part : parts) {
                    Path name = part.getFileName();
                    PosixFileAttributes is = parts.getFileAttributeView(
                                    name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                            .readAttributes();
                    if (ours(is) && is.lastModifiedTime().toInstant().isBefore(stale)) {
                        parts.deleteFile(name);
                    }
                }
            }
        } catch (NoSuchFileException e) {
            // Another copy has removed the file.
        }
    }

    /// Returns whether a file is a regular file of this user that nobody else can read or write.
    private static boolean ours(PosixFileAttributes found) throws IOException {
        return found.isRegularFile()
                && found.owner().equals(OwnUser.principal())
                && found.permissions().equals(OWNER_ONLY);
    }

    long length() throws IOException {
        return channel.size();
    }

    String hash() throws IOException {
        return Sha256.of(channel, channel.size());
    }

    /// Sets where the next bytes go.
    void from(long start) {
        try {
            channel.truncate(start).position(start);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void write(ByteBuffer data) {
        try {
            while (data.hasRemaining()) {
                channel.write(data);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Replaces the target with this file.
    void commit(Path target, int mode, long time) throws IOException {
        Files.setPosixFilePermissions(path, SafeUnpacker.permissions(mode));
        Files.setLastModifiedTime(path, FileTime.fromMillis(time * 1000));
        Files.move(path, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /// Marks this file as one that is deleted when it is closed.
    void drop() {
        keep = false;
    }

    @Override
    public void close() throws IOException {
        if (!keep || channel.size() == 0) {
            Files.deleteIfExists(path);
        }
        channel.close();
    }
}
