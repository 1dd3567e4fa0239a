package dev.talaria.engine.copy;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Opens folders below a root, each from the open folder above it. A program that swaps a folder for a link
/// meanwhile has no effect.
///
/// Java cannot make folders and links in an open folder. They are made in the root, under a name that nobody knows,
/// and moved from there. Others can interfere only if they can swap the root itself.
final class HeldFolders implements AutoCloseable {
    private static final int ATTEMPTS = 5;

    private final Path root;
    private @Nullable SecureDirectoryStream<Path> top;
    private @Nullable SecureDirectoryStream<Path> latest;
    private @Nullable Path latestName;

    /// @param root the root; it is made if it does not exist, but the folder above it must exist
    HeldFolders(Path root) {
        this.root = root;
    }

    /// Returns a random name for a file or folder that is not complete yet.
    static Path fresh() {
        return Path.of(".talaria-" + UUID.randomUUID() + ".part");
    }

    /// Opens a folder and makes the missing folders on the way. It stays open until the next call.
    ///
    /// @param name a path below the root, without `..`; empty for the root
    /// @throws NotDirectoryException if something else is on the way, such as a link; the message names it
    SecureDirectoryStream<Path> enter(Path name) throws IOException {
        SecureDirectoryStream<Path> known = latest;
        if (known != null && name.equals(latestName)) {
            return known;
        }
        closeLatest();
        SecureDirectoryStream<Path> at = top();
        if (name.toString().isEmpty()) {
            return at;
        }
        for (int steps = 1; steps <= name.getNameCount(); steps++) {
            SecureDirectoryStream<Path> above = at;
            try {
                at = step(above, name.getName(steps - 1));
            } catch (NotDirectoryException e) {
                throw new NotDirectoryException(name.subpath(0, steps).toString());
            } finally {
                if (steps > 1) { // the root stays open
                    above.close();
                }
            }
        }
        latest = at;
        latestName = name;
        return at;
    }

    private SecureDirectoryStream<Path> step(SecureDirectoryStream<Path> above, Path name) throws IOException {
        Optional<BasicFileAttributes> there = look(above, name);
        if (there.isEmpty()) {
            make(above, name);
        } else if (!there.get().isDirectory()) { // before the opening: a pipe would block forever
            throw new NotDirectoryException(name.toString());
        }
        try {
            return above.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
        } catch (NotDirectoryException e) {
            throw e;
        } catch (FileSystemException e) {
            if (look(above, name).filter(BasicFileAttributes::isDirectory).isPresent()) {
                throw e;
            }
            throw new NotDirectoryException(name.toString()); // another program has swapped it
        }
    }

    /// Returns the attributes of a file in a folder; empty if there is none. A link is not followed.
    static Optional<BasicFileAttributes> look(SecureDirectoryStream<Path> folder, Path name) throws IOException {
        try {
            return Optional.of(
                    folder.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                            .readAttributes());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private void make(SecureDirectoryStream<Path> above, Path name) throws IOException {
        for (int attempt = 1; look(above, name).isEmpty(); attempt++) {
            Path fresh = fresh();
            Files.createDirectory(root.resolve(fresh));
            try {
                top().move(fresh, above, name);
            } catch (FileSystemException e) { // another program may have made it meanwhile
                top().deleteDirectory(fresh);
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /// Makes a link in the root.
    ///
    /// @return its name
    Path link(Path to) throws IOException {
        Path fresh = fresh();
        Files.createSymbolicLink(root.resolve(fresh), to);
        return fresh;
    }

    /// Returns the root.
    @SuppressWarnings("StreamResourceLeak") // close() closes it
    SecureDirectoryStream<Path> top() throws IOException {
        SecureDirectoryStream<Path> known = top;
        if (known != null) {
            return known;
        }
        if (!Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
            try {
                Files.createDirectory(root);
            } catch (FileAlreadyExistsException e) {
                throw new NotDirectoryException(root.toString());
            }
        }
        DirectoryStream<Path> opened = Files.newDirectoryStream(root);
        if (opened instanceof SecureDirectoryStream<Path> secure) {
            top = secure;
            return secure;
        }
        opened.close();
        throw new IOException("folders cannot be held open on this system, so nothing is unpacked in " + root);
    }

    private void closeLatest() throws IOException {
        SecureDirectoryStream<Path> known = latest;
        latest = null;
        latestName = null;
        if (known != null) {
            known.close();
        }
    }

    @Override
    public void close() throws IOException {
        closeLatest();
        SecureDirectoryStream<Path> known = top;
        top = null;
        if (known != null) {
            known.close();
        }
    }
}
