package dev.talaria.engine.tool.files;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.util.RandomBytes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// A file of this machine that this process holds open.
final class HostFile implements HeldFile {
    private final Path path;
    private final List<String> homes;
    private final HostPath way;

    private HostFile(Path path, List<String> homes, HostPath way) {
        this.path = path;
        this.homes = homes;
        this.way = way;
    }

    /// Finds a file and follows all links to it.
    ///
    /// @param wanted an absolute path
    /// @throws SandboxException if the file cannot be written, or belongs to Talaria
    static HostFile open(Path wanted, HostFolders folders) {
        HostPath way = new HostPath();
        try {
            Path path = way.go(wanted);
            folders.refuseOurs(path);
            return new HostFile(path, folders.homes(), way);
        } catch (IOException e) {
            way.close();
            throw refused(wanted, e);
        } catch (RuntimeException e) {
            way.close();
            throw e;
        }
    }

    @Override
    public String path() {
        return path.toString();
    }

    @Override
    public List<String> homes() {
        return homes;
    }

    /// Returns whether a folder has to be created first.
    boolean lacksFolders() {
        return way.missing().size() > 1;
    }

    @Override
    public String write(byte[] content) {
        Path name = path.getFileName();
        Path fresh = Path.of(".talaria-" + RandomBytes.hex(8) + ".part");
        try {
            SecureDirectoryStream<Path> folder = way.folder();
            check(folder);
            Optional<PosixFileAttributes> old = look(folder, name);
            if (old.isPresent() && !old.get().isRegularFile()) {
                throw new SandboxException(
                        ErrorCode.FILE_REFUSED,
                        path
                                + (old.get().isSymbolicLink()
                                        ? " has become a link since it was checked."
                                        : " is not a regular file."));
            }
            try {
                write(folder, fresh, content);
                if (old.isPresent()) {
                    folder.getFileAttributeView(fresh, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                            .setPermissions(old.get().permissions());
                }
                folder.move(fresh, folder, name);
            } catch (IOException e) {
                remove(folder, fresh);
                throw e;
            }
            return path.toString();
        } catch (IOException e) {
            throw refused(path, e);
        }
    }

    private static void write(SecureDirectoryStream<Path> folder, Path name, byte[] content) throws IOException {
        try (OutputStream out = Channels.newOutputStream(folder.newByteChannel(
                name, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)))) {
            out.write(content);
        }
    }

    private static void remove(SecureDirectoryStream<Path> folder, Path name) {
        try {
            folder.deleteFile(name);
        } catch (IOException e) {
            // The file was never created, or the failure above also prevents its removal.
        }
    }

    private static Optional<PosixFileAttributes> look(SecureDirectoryStream<Path> folder, Path name)
            throws IOException {
        try {
            return Optional.of(
                    folder.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                            .readAttributes());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /// Checks that the path still leads to the open folder.
    private void check(SecureDirectoryStream<Path> folder) throws IOException {
        Path above = Objects.requireNonNull(path.getParent());
        Object held = folder.getFileAttributeView(BasicFileAttributeView.class)
                .readAttributes()
                .fileKey();
        boolean same;
        try {
            Object there = Files.readAttributes(above, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .fileKey();
            same = above.toRealPath().equals(above) && there.equals(held);
        } catch (NoSuchFileException e) {
            same = false;
        }
        if (!same) {
            throw new SandboxException(
                    ErrorCode.FILE_REFUSED, path + " leads elsewhere than when it was checked, and was not written.");
        }
    }

    private static SandboxException refused(Path path, IOException e) {
        String why = e instanceof FileSystemException failed ? failed.getReason() : e.getMessage();
        if (why == null) {
            why = e instanceof AccessDeniedException
                    ? "Permission denied"
                    : e.getClass().getSimpleName().replace("Exception", "");
        }
        return new SandboxException(ErrorCode.FILE_REFUSED, "Cannot write " + path + ": " + why + ".", e);
    }

    @Override
    public void close() {
        way.close();
    }
}
