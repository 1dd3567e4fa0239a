package dev.talaria.api;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// A folder of this machine that only this user can enter, held open. It is a real folder, not a link, with mode
/// 0700. Everything in it is reached from the open descriptor, so a program that swaps the folder for a link
/// meanwhile has no effect. Talaria removes old folders and files only in this way.
public final class OwnFolder implements AutoCloseable {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    /// The permissions of a new folder: only its owner may enter it.
    public static final FileAttribute<Set<PosixFilePermission>> MODE = PosixFilePermissions.asFileAttribute(OWNER_ONLY);

    private static final Path SELF = Path.of(".");

    /// Folders below this depth are moved up before they are removed, since each level takes a descriptor.
    private static final int DEEPEST = 50;

    private static final int MOST_NAMED = 5;
    private static final int MOST_PASSES = 10_000;

    private final Path path;
    private final Path name;
    private final SecureDirectoryStream<Path> above;
    private final SecureDirectoryStream<Path> held;

    /// A file or folder was left alone, since it does not belong to this user alone. The message names it and
    /// says why.
    public static final class LeftAloneException extends IOException {
        private static final long serialVersionUID = 1L;

        LeftAloneException(Path path, String why) {
            super(path + " is left alone: " + why + ".");
        }
    }

    private OwnFolder(Path path, Path name, SecureDirectoryStream<Path> above, SecureDirectoryStream<Path> held) {
        this.path = path;
        this.name = name;
        this.above = above;
        this.held = held;
    }

    /// Opens a folder. Links above its last name are followed.
    ///
    /// @throws NoSuchFileException if the folder does not exist
    /// @throws LeftAloneException if the folder does not belong to this user alone
    public static OwnFolder open(Path folder) throws IOException {
        return open(folder, Set.of(OwnUser.principal()));
    }

    /// Opens a folder of one of several users. This process works for all of them.
    ///
    /// @throws NoSuchFileException if the folder does not exist
    /// @throws LeftAloneException if the folder does not belong to one of these users alone
    @SuppressWarnings("StreamResourceLeak") // close() closes them
    public static OwnFolder open(Path folder, Set<UserPrincipal> owners) throws IOException {
        Path path = folder.toAbsolutePath();
        Path parent = path.getParent();
        Path name = path.getFileName();
        if (parent == null || name == null || name.toString().equals("..") || name.equals(SELF)) {
            throw new LeftAloneException(path, "it is no folder of ours");
        }
        SecureDirectoryStream<Path> above = secure(Files.newDirectoryStream(parent), parent);
        try {
            require(look(above, name), path, owners); // before the opening: a pipe would block forever
            SecureDirectoryStream<Path> held = enter(above, name, path);
            try {
                require(look(held), path, owners);
                return new OwnFolder(path, name, above, held);
            } catch (IOException | RuntimeException e) {
                held.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            above.close();
            throw e;
        }
    }

    /// Removes a folder with everything in it.
    ///
    /// @return what could not be removed, and why; empty if the folder is gone or never existed
    public static Optional<String> remove(Path folder) {
        try {
            return remove(folder, Set.of(OwnUser.principal()));
        } catch (IOException e) {
            return Optional.of(folder + " is left: " + e);
        }
    }

    /// Removes a folder of one of several users with everything in it.
    ///
    /// @return what could not be removed, and why; empty if the folder is gone or never existed
    public static Optional<String> remove(Path folder, Set<UserPrincipal> owners) {
        try (OwnFolder own = open(folder, owners)) {
            return own.remove();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (LeftAloneException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return Optional.of(folder + " is left: " + e);
        }
    }

    private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> opened, Path path) throws IOException {
        if (opened instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        opened.close();
        throw new LeftAloneException(path, "folders cannot be held open on this system");
    }

    private static PosixFileAttributes look(SecureDirectoryStream<Path> folder, Path name) throws IOException {
        return folder.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
    }

    private static PosixFileAttributes look(SecureDirectoryStream<Path> folder) throws IOException {
        return folder.getFileAttributeView(PosixFileAttributeView.class).readAttributes();
    }

    private static void require(PosixFileAttributes found, Path path, Set<UserPrincipal> owners) throws IOException {
        if (found.isSymbolicLink()) {
            throw new LeftAloneException(path, "it is a link");
        }
        if (!found.isDirectory()) {
            throw new LeftAloneException(path, "it is no folder");
        }
        if (!owners.contains(found.owner())) {
            throw new LeftAloneException(path, "it belongs to " + found.owner().getName());
        }
        if (!found.permissions().equals(OWNER_ONLY)) {
            throw new LeftAloneException(
                    path, "its mode is " + PosixFilePermissions.toString(found.permissions()) + ", not rwx------");
        }
    }

    private static SecureDirectoryStream<Path> enter(SecureDirectoryStream<Path> above, Path name, Path shown)
            throws IOException {
        try {
            return above.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
        } catch (AccessDeniedException | NoSuchFileException e) {
            throw e;
        } catch (FileSystemException e) {
            throw new LeftAloneException(shown, "it was just replaced by something else");
        }
    }

    /// Returns the path under which the folder was opened.
    public Path path() {
        return path;
    }

    /// Returns the names of the files and folders in this folder.
    public List<Path> names() throws IOException {
        List<Path> names = new ArrayList<>();
        try (SecureDirectoryStream<Path> again = held.newDirectoryStream(SELF, LinkOption.NOFOLLOW_LINKS)) {
            again.forEach(found -> names.add(found.getFileName()));
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    /// Returns the attributes of a file in this folder; empty if there is none. A link is not followed.
    public Optional<PosixFileAttributes> look(Path file) throws IOException {
        try {
            return Optional.of(look(held, file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /// Opens a regular file in this folder for writing; empty if there is none.
    public Optional<FileChannel> file(Path file) throws IOException {
        if (look(file).filter(PosixFileAttributes::isRegularFile).isEmpty()) {
            return Optional.empty();
        }
        SeekableByteChannel channel =
                held.newByteChannel(file, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        if (channel instanceof FileChannel found) {
            return Optional.of(found);
        }
        channel.close();
        return Optional.empty();
    }

    /// Removes a file or a link in this folder and returns whether it existed.
    public boolean delete(Path file) throws IOException {
        try {
            held.deleteFile(file);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /// Removes an empty folder in this folder and returns whether it existed and was empty.
    public boolean deleteEmpty(Path folder) throws IOException {
        try {
            held.deleteDirectory(folder);
            return true;
        } catch (NoSuchFileException | DirectoryNotEmptyException e) {
            return false;
        }
    }

    /// Removes this folder with everything in it, also folders that commands made unreadable.
    ///
    /// @return what could not be removed, and why; empty if the folder is gone
    public Optional<String> remove() {
        RemainingFiles left;
        try {
            boolean goesOn;
            int passes = 0;
            do { // somebody may fill it as we empty it
                left = new RemainingFiles(Mounts.below(path));
                refuseMounted(left, look(above), look(held), path);
                goesOn = pass(held, path, 0, left) && left.count > 0;
            } while (goesOn && ++passes < MOST_PASSES);
        } catch (LeftAloneException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (NoSuchFileException e) {
            return Optional.empty(); // somebody else was quicker
        } catch (IOException e) {
            return Optional.of(path + " is left: " + e);
        }
        removeEmpty(left);
        return left.count == 0
                ? Optional.empty()
                : Optional.of(left.count + " in " + path + " cannot be removed: " + String.join("; ", left.named));
    }

    private void removeEmpty(RemainingFiles left) {
        try {
            if (left.count == 0 && look(above, name).fileKey().equals(look(held).fileKey())) {
                above.deleteDirectory(name);
            }
        } catch (NoSuchFileException e) {
            // Somebody else was quicker.
        } catch (IOException e) {
            left.add(path, e);
        }
    }

    /// The files and folders that a pass could not remove.
    private static final class RemainingFiles {
        private final Mounts mounts;
        private final List<String> named = new ArrayList<>();
        private int count;

        RemainingFiles(Mounts mounts) {
            this.mounts = mounts;
        }

        void add(Path what, Exception why) {
            count++;
            if (named.size() < MOST_NAMED) {
                named.add(
                        why instanceof LeftAloneException
                                ? String.valueOf(why.getMessage())
                                : what + " (" + why.getClass().getSimpleName() + ")");
            }
        }
    }

    /// Removes as much as possible. Folders that were moved up count as left. Returns whether another pass may
    /// remove more.
    private boolean pass(SecureDirectoryStream<Path> folder, Path shown, int depth, RemainingFiles left) {
        boolean removed = false;
        try (SecureDirectoryStream<Path> again = folder.newDirectoryStream(SELF, LinkOption.NOFOLLOW_LINKS)) {
            for (Path found : again) {
                Path inner = found.getFileName();
                try {
                    removed |= removeOne(folder, inner, shown.resolve(inner), depth, left);
                } catch (NoSuchFileException e) {
                    removed = true;
                } catch (IOException e) {
                    left.add(shown.resolve(inner), e);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            left.add(shown, e);
        }
        return removed;
    }

    private boolean removeOne(
            SecureDirectoryStream<Path> folder, Path inner, Path shown, int depth, RemainingFiles left)
            throws IOException {
        PosixFileAttributes found = look(folder, inner);
        if (!found.isDirectory()) {
            folder.deleteFile(inner);
            return true;
        }
        refuseMounted(left, look(held), found, shown);
        boolean below;
        int before = left.count;
        try (SecureDirectoryStream<Path> entered = openUp(folder, inner, shown, left)) {
            if (depth == DEEPEST) {
                folder.move(inner, held, Path.of("deep-" + UUID.randomUUID()));
                left.count++; // the next pass has it at the top
                return true;
            }
            below = pass(entered, shown, depth + 1, left);
        }
        if (left.count == before) {
            folder.deleteDirectory(inner);
            return true;
        }
        return below;
    }

    /// Refuses to enter a mount point, since the files behind it belong to somebody else.
    private static void refuseMounted(
            RemainingFiles left, PosixFileAttributes around, PosixFileAttributes found, Path shown) throws IOException {
        if (!Mounts.device(around).equals(Mounts.device(found)) || left.mounts.has(shown)) {
            throw new LeftAloneException(shown, "something else is mounted there");
        }
    }

    /// Opens a folder after it was made writable, so that everything in it can be removed.
    private SecureDirectoryStream<Path> openUp(
            SecureDirectoryStream<Path> folder, Path inner, Path shown, RemainingFiles left) throws IOException {
        SecureDirectoryStream<Path> entered;
        try {
            entered = enter(folder, inner, shown);
        } catch (AccessDeniedException e) {
            // Java can change the mode of an unreadable folder only by its path. Only this user's processes can swap
            // it.
            Files.setPosixFilePermissions(shown, OWNER_ONLY);
            entered = enter(folder, inner, shown);
        }
        PosixFileAttributes found = look(entered);
        try {
            refuseMounted(left, look(held), found, shown); // a mount may have come meanwhile
        } catch (IOException e) {
            entered.close();
            throw e;
        }
        Set<PosixFilePermission> modes = found.permissions();
        if (!modes.containsAll(OWNER_ONLY)) {
            Set<PosixFilePermission> more = EnumSet.copyOf(OWNER_ONLY);
            more.addAll(modes);
            try {
                entered.getFileAttributeView(PosixFileAttributeView.class).setPermissions(more);
            } catch (IOException e) { // it belongs to another user; it may be empty
                return entered;
            }
        }
        return entered;
    }

    @Override
    public void close() throws IOException {
        try (above) {
            held.close();
        }
    }
}
