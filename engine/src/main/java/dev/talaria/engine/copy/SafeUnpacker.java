package dev.talaria.engine.copy;

import dev.talaria.api.DisplayText;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Unpacks an archive from a sandbox into a folder of this machine, and writes nothing outside of that folder.
///
/// The archive may be hostile. Names and links that lead out of the folder, hard links and devices are refused,
/// and a note says so. Links in the folder are not followed, not even one that another program makes meanwhile (see
/// [HeldFolders]). A file is replaced as a whole.
final class SafeUnpacker implements TarReader.Handler, AutoCloseable {
    private static final long MOST_ENTRIES = 1_000_000;
    private static final Path ROOT = Path.of("");

    private final Path root;
    private final HeldFolders folders;
    private final long mostBytes;
    private final Notes notes = new Notes();
    private long entries;
    private long files;
    private long bytes;
    private @Nullable TarEntry entry;
    private @Nullable Path temporary;
    private @Nullable SecureDirectoryStream<Path> into; // the folder of the file that is being written
    private @Nullable SeekableByteChannel channel;

    /// @param mostBytes the largest size of all files together
    SafeUnpacker(Path root, long mostBytes) {
        this.root = root;
        this.folders = new HeldFolders(root);
        this.mostBytes = mostBytes;
    }

    long files() {
        return files;
    }

    long bytes() {
        return bytes;
    }

    /// Returns notes about what was refused, for people.
    List<String> notes() {
        return notes.all();
    }

    @Override
    public void begin(TarEntry next) {
        if (++entries > MOST_ENTRIES) {
            throw new SandboxException(ErrorCode.FILE_REFUSED, "There are more than " + MOST_ENTRIES + " files.");
        }
        bytes += next.size();
        if (bytes > mostBytes) {
            throw new SandboxException(
                    ErrorCode.FILE_REFUSED, "There is more than may be copied (" + mostBytes + " bytes).");
        }
        entry = next;
        Optional<Path> place = place(next);
        if (place.isEmpty()) {
            return;
        }
        try {
            switch (next.kind()) {
                case FOLDER -> {
                    var _ = folder(place.get(), next);
                }
                case LINK -> link(place.get(), next);
                case FILE -> open(place.get(), next);
                case OTHER -> refuse(next, "is neither file nor folder");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the path of an entry below the root; empty if it leads out of the root.
    private Optional<Path> place(TarEntry next) {
        String name =
                next.name().endsWith("/") ? next.name().substring(0, next.name().length() - 1) : next.name();
        if (name.isEmpty() || name.equals(".")) {
            return Optional.of(ROOT);
        }
        for (String part : name.split("/", -1)) {
            if (part.isEmpty() || part.equals(".") || part.equals("..") || part.indexOf('\0') >= 0) {
                refuse(next, "has a name that leads elsewhere");
                return Optional.empty();
            }
        }
        try {
            return Optional.of(Path.of(name));
        } catch (InvalidPathException e) {
            refuse(next, "has no name for this machine");
            return Optional.empty();
        }
    }

    /// Opens a folder and makes the missing folders on the way; empty if something else is on the way, such as a
    /// link.
    private Optional<SecureDirectoryStream<Path>> folder(Path wanted, TarEntry next) throws IOException {
        try {
            return Optional.of(folders.enter(wanted));
        } catch (NotDirectoryException e) {
            refuse(next, "would go through " + DisplayText.name(e.getFile()) + ", which is no folder here");
            return Optional.empty();
        }
    }

    private static Path above(Path place) {
        Path above = place.getParent();
        return above == null ? ROOT : above;
    }

    private void link(Path place, TarEntry next) throws IOException {
        Optional<SecureDirectoryStream<Path>> folder = folder(above(place), next);
        if (place.equals(ROOT) || folder.isEmpty()) {
            return;
        }
        Path to;
        try {
            to = Path.of(next.link());
        } catch (InvalidPathException e) {
            refuse(next, "is a link to nowhere");
            return;
        }
        if (to.isAbsolute() || next.link().isEmpty() || !staysInside(root.resolve(above(place)), to)) {
            refuse(next, "is a link that leads out of the folder");
            return;
        }
        put(folders.top(), folders.link(to), folder.get(), place, next);
    }

    /// Returns whether a link stays below the root, whatever other links are on its way. Its own folder is a
    /// real folder, so `..` at the beginning leads to the folder above. After another name, which may be a
    /// link, `..` is refused.
    private boolean staysInside(Path above, Path to) {
        boolean down = false;
        for (Path step : to) {
            boolean up = step.toString().equals("..");
            if (up && down) {
                return false;
            }
            down |= !up && !step.toString().equals(".");
        }
        return above.resolve(to).normalize().startsWith(root);
    }

    private void open(Path place, TarEntry next) throws IOException {
        Optional<SecureDirectoryStream<Path>> folder = folder(above(place), next);
        if (place.equals(ROOT) || folder.isEmpty()) {
            return;
        }
        Path fresh = HeldFolders.fresh();
        channel = folder.get()
                .newByteChannel(
                        fresh,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        temporary = fresh;
        into = folder.get();
    }

    @Override
    public void data(ByteBuffer part) {
        try {
            while (channel != null && part.hasRemaining()) {
                channel.write(part);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void end() {
        try {
            if (channel != null && temporary != null && into != null && entry != null) {
                channel.close();
                channel = null;
                PosixFileAttributeView view =
                        into.getFileAttributeView(temporary, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
                view.setPermissions(permissions(entry.mode()));
                FileTime time = FileTime.fromMillis(entry.time() * 1000);
                view.setTimes(time, time, null);
                put(into, temporary, into, place(entry).orElseThrow(), entry);
                temporary = null;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void put(
            SecureDirectoryStream<Path> from, Path fresh, SecureDirectoryStream<Path> folder, Path place, TarEntry next)
            throws IOException {
        boolean moved = false;
        try {
            if (HeldFolders.look(folder, place.getFileName())
                    .filter(BasicFileAttributes::isDirectory)
                    .isPresent()) {
                refuse(next, "would replace a folder");
                return;
            }
            from.move(fresh, folder, place.getFileName());
            moved = true;
            files++;
        } finally {
            if (!moved) {
                from.deleteFile(fresh);
            }
        }
    }

    /// Returns the permissions of a file from a sandbox: only its owner can write to it, and it is never
    /// set-user-id.
    static Set<PosixFilePermission> permissions(int mode) {
        StringBuilder text = new StringBuilder("rw-------");
        String letters = "rwxrwxrwx";
        for (int i = 0; i < letters.length(); i++) {
            boolean kept = (mode & 0755 & (0400 >> i)) != 0;
            if (kept) {
                text.setCharAt(i, letters.charAt(i));
            }
        }
        return PosixFilePermissions.fromString(text.toString());
    }

    private void refuse(TarEntry next, String why) {
        notes.leftOut(next.name(), why);
    }

    /// Removes the file that is not complete.
    @Override
    public void close() {
        try {
            if (channel != null) {
                channel.close();
            }
            if (temporary != null && into != null) {
                into.deleteFile(temporary);
            }
            folders.close();
        } catch (IOException e) {
            // The file stays under a name that tells its owner.
        }
    }
}
