package dev.talaria.engine.copies;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A folder of this machine that an archive from a sandbox is unpacked into, and nothing outside of it.
///
/// Whoever made the archive may be hostile: names that lead out, links that do, hard links and devices are refused
/// and told, and no link that stands in the way is followed. A file replaces another as a whole.
final class Landing implements TarReader.Handler, AutoCloseable {
    private static final long MOST_ENTRIES = 1_000_000;
    private static final int MOST_NOTES = 20;

    private final Path root;
    private final long mostBytes;
    private final List<String> notes = new ArrayList<>();
    private int unsaid;
    private long entries;
    private long files;
    private long bytes;
    private @Nullable TarEntry entry;
    private @Nullable Path temporary;
    private @Nullable FileChannel channel;

    /// @param mostBytes what it may take up
    Landing(Path root, long mostBytes) {
        this.root = root;
        this.mostBytes = mostBytes;
    }

    long files() {
        return files;
    }

    long bytes() {
        return bytes;
    }

    /// Returns what was refused, for people.
    List<String> notes() {
        List<String> all = new ArrayList<>(notes);
        if (unsaid > 0) {
            all.add("and " + unsaid + " more.");
        }
        return all;
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

    /// Returns where an entry goes, if that is below the root.
    private Optional<Path> place(TarEntry next) {
        String name =
                next.name().endsWith("/") ? next.name().substring(0, next.name().length() - 1) : next.name();
        if (name.isEmpty() || name.equals(".")) {
            return Optional.of(root);
        }
        for (String part : name.split("/", -1)) {
            if (part.isEmpty() || part.equals(".") || part.equals("..") || part.indexOf('\0') >= 0) {
                refuse(next, "has a name that leads elsewhere");
                return Optional.empty();
            }
        }
        try {
            return Optional.of(root.resolve(name));
        } catch (InvalidPathException e) {
            refuse(next, "has no name for this machine");
            return Optional.empty();
        }
    }

    /// Makes a folder and what is missing above it; false if something is in the way, a link for example.
    private boolean folder(Path wanted, TarEntry next) throws IOException {
        if (!wanted.equals(root)) {
            Path above = wanted.getParent();
            if (above == null || !folder(above, next)) {
                return false;
            }
        }
        if (Files.isDirectory(wanted, LinkOption.NOFOLLOW_LINKS)) {
            return true;
        }
        try {
            Files.createDirectory(wanted);
            return true;
        } catch (FileAlreadyExistsException e) {
            refuse(next, "would go through " + root.relativize(wanted) + ", which is no folder here");
            return false;
        }
    }

    private void link(Path place, TarEntry next) throws IOException {
        Path above = place.getParent();
        if (above == null || !folder(above, next)) {
            return;
        }
        Path to;
        try {
            to = Path.of(next.link());
        } catch (InvalidPathException e) {
            refuse(next, "is a link to nowhere");
            return;
        }
        if (to.isAbsolute() || next.link().isEmpty() || !staysInside(above, to)) {
            refuse(next, "is a link that leads out of the folder");
            return;
        }
        Path fresh = above.resolve(".talaria-" + UUID.randomUUID() + ".part");
        Files.createSymbolicLink(fresh, to);
        put(fresh, place, next);
    }

    /// Whether a link leads below the root, whatever other links are on its way. It begins in a folder that is none, so
    /// its first steps up are what they seem; after a step down, which may be a link, `..` would be anywhere.
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
        Path above = place.getParent();
        if (place.equals(root) || above == null || !folder(above, next)) {
            return;
        }
        Path fresh = above.resolve(".talaria-" + UUID.randomUUID() + ".part");
        channel = FileChannel.open(
                fresh,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        temporary = fresh;
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
            if (channel != null && temporary != null && entry != null) {
                channel.close();
                channel = null;
                Files.setPosixFilePermissions(temporary, permissions(entry.mode()));
                Files.setLastModifiedTime(temporary, FileTime.fromMillis(entry.time() * 1000));
                put(temporary, place(entry).orElseThrow(), entry);
                temporary = null;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void put(Path fresh, Path place, TarEntry next) throws IOException {
        try {
            if (Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
                refuse(next, "would replace a folder");
                return;
            }
            Files.move(fresh, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            files++;
        } catch (AtomicMoveNotSupportedException e) {
            throw new IOException("Cannot put " + place + " in place", e);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    /// Returns what a file from elsewhere may be here: writable for nobody but its owner, and never set-user-id.
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
        if (notes.size() < MOST_NOTES) {
            notes.add(Shown.name(next.name()) + " " + why + "; left out.");
        } else {
            unsaid++;
        }
    }

    /// Removes what is not whole.
    @Override
    public void close() {
        try {
            if (channel != null) {
                channel.close();
            }
            if (temporary != null) {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException e) {
            // It stays behind under a name that tells whose it is.
        }
    }
}
