package dev.talaria.engine.output;

import dev.talaria.api.OwnFolder;
import dev.talaria.engine.util.OwnerOnly;
import dev.talaria.engine.util.RandomBytes;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The folder of spill files: raw streams too long to show, for readers who want the omitted part.
///
/// Folder and files belong to their owner alone, names are random, files are created exclusively and
/// links are not followed. The limits count the files of every process that uses the folder. Files
/// that are still being written are never removed. Nothing here fails a run: a full disk appears as a
/// note.
///
/// A sandbox that sees little of this machine is shown a folder in here with its own output, and with
/// no other's.
public final class Spills {

    private static final Logger LOG = LoggerFactory.getLogger(Spills.class);
    private static final String PREFIX = "spill-";
    private static final String SUFFIX = ".log";
    private static final Pattern OF_A_SANDBOX = Pattern.compile("[0-9a-f]{12}");

    private final Path folder;
    private final SpillLimits limits;
    private final InstantSource clock;
    private final Object lock = new Object();
    private final Set<Path> open = ConcurrentHashMap.newKeySet();
    private long used; // guarded by lock; read from the folder when a file is created, and counted from there

    private record Entry(Path file, long size, Instant modified) {}

    /// Uses the folder. It is created with the first file.
    public Spills(Path folder, SpillLimits limits, InstantSource clock) {
        this.folder = folder.toAbsolutePath().normalize();
        this.limits = limits;
        this.clock = clock;
    }

    /// Returns a view of the folder that remembers the files it made.
    public SessionSpills session() {
        return new SessionSpills();
    }

    /// Removes the files that are too old and returns how many. Call it at the start.
    public int sweep() {
        Instant oldest = clock.instant().minus(limits.keep());
        int removed = 0;
        for (Entry entry : entries()) {
            if (entry.modified.isBefore(oldest) && remove(entry)) {
                removed++;
            }
        }
        foldersOfSandboxes(oldest).forEach(this::removeEmpty);
        return removed;
    }

    /// The spill files of one session.
    public final class SessionSpills implements SpillTarget {

        private final Map<Path, Redactor.Mode> made = new ConcurrentHashMap<>();

        private SessionSpills() {}

        /// Returns whether this session made the file and so may read it.
        public boolean owns(Path file) {
            return modeOf(file).isPresent();
        }

        /// Returns how to mask a file that this session made.
        public Optional<Redactor.Mode> modeOf(Path file) {
            return made.isEmpty()
                    ? Optional.empty()
                    : Optional.ofNullable(made.get(file.toAbsolutePath().normalize()));
        }

        @Override
        public Sink open(Redactor.Mode mode) {
            return open(folder, mode);
        }

        /// Returns a target with files where a sandbox can read them.
        ///
        /// @param sandbox the folder's name
        public SpillTarget in(String sandbox) {
            return mode -> open(folder.resolve(sandbox), mode);
        }

        private Sink open(Path where, Redactor.Mode mode) {
            try {
                Path file = create(where);
                made.put(file, mode);
                return new SpillFile(Spills.this, file, limits.each());
            } catch (IOException e) {
                return new Unsaved(Optional.of(SpillFile.unsaved(SpillFile.reason(e))));
            }
        }
    }

    private Path create(Path where) throws IOException {
        ensure(folder);
        ensure(where);
        while (true) {
            Path file = where.resolve(PREFIX + RandomBytes.hex(16) + SUFFIX);
            try {
                Files.createFile(file, OwnerOnly.FILE);
            } catch (FileAlreadyExistsException e) {
                continue;
            }
            open.add(file);
            synchronized (lock) {
                used = entries().stream().mapToLong(Entry::size).sum();
            }
            return file;
        }
    }

    private static void ensure(Path folder) throws IOException {
        var ownerOnly = PosixFilePermissions.fromString("rwx------");
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(ownerOnly));
        }
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(folder + " is not a folder");
        }
        if (!Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS).equals(ownerOnly)) {
            Files.setPosixFilePermissions(folder, ownerOnly);
        }
    }

    /// Makes room for `count` more bytes and returns whether there is room.
    boolean reserve(int count) {
        synchronized (lock) {
            if (used + count > limits.total()) {
                makeRoom(count);
            }
            if (used + count > limits.total()) {
                return false;
            }
            used += count;
            return true;
        }
    }

    private void makeRoom(int count) {
        List<Entry> oldestFirst = entries();
        oldestFirst.sort(Comparator.comparing(Entry::modified));
        used = oldestFirst.stream().mapToLong(Entry::size).sum();
        for (Entry entry : oldestFirst) {
            if (used + count <= limits.total()) {
                return;
            }
            if (remove(entry)) {
                used -= entry.size;
            }
        }
    }

    /// Notes that nobody writes to the file any more.
    void released(Path file) {
        open.remove(file);
    }

    /// Removes a file that could not be written.
    void discard(Path file) {
        released(file);
        tryDelete(file);
    }

    private boolean remove(Entry entry) {
        return !open.contains(entry.file) && tryDelete(entry.file);
    }

    private static boolean tryDelete(Path file) {
        Path in = file.getParent();
        if (in == null) {
            return false;
        }
        try (OwnFolder own = OwnFolder.open(in)) {
            return own.delete(file.getFileName());
        } catch (IOException e) {
            LOG.debug("{} stays", file, e);
            return false;
        }
    }

    private void removeEmpty(Path emptied) {
        try (OwnFolder own = OwnFolder.open(folder)) {
            own.deleteEmpty(emptied.getFileName()); // a folder that is not empty stays
        } catch (IOException e) {
            LOG.debug("{} stays", emptied, e);
        }
    }

    /// Returns our files. Nothing else in the folder is ever touched.
    private List<Entry> entries() {
        var entries = new ArrayList<Entry>();
        addEntries(folder, entries);
        foldersOfSandboxes(Instant.MAX).forEach(of -> addEntries(of, entries));
        return entries;
    }

    private static void addEntries(Path folder, List<Entry> entries) {
        try (OwnFolder own = OwnFolder.open(folder)) {
            for (Path name : own.names()) {
                if (name.toString().startsWith(PREFIX) && name.toString().endsWith(SUFFIX)) {
                    own.look(name)
                            .filter(BasicFileAttributes::isRegularFile)
                            .map(found -> new Entry(
                                    folder.resolve(name),
                                    found.size(),
                                    found.lastModifiedTime().toInstant()))
                            .ifPresent(entries::add);
                }
            }
        } catch (NoSuchFileException e) {
            // There is no folder yet.
        } catch (OwnFolder.LeftAloneException e) {
            LOG.warn("{}", e.getMessage());
        } catch (IOException e) {
            LOG.debug("Those that were found in {}", folder, e);
        }
    }

    /// Returns the folders of sandboxes.
    ///
    /// @param before the latest time of their last change
    private List<Path> foldersOfSandboxes(Instant before) {
        List<Path> found = new ArrayList<>();
        try (OwnFolder own = OwnFolder.open(folder)) {
            for (Path name : own.names()) {
                if (OF_A_SANDBOX.matcher(name.toString()).matches()
                        && own.look(name)
                                .filter(is -> is.isDirectory()
                                        && is.lastModifiedTime().toInstant().isBefore(before))
                                .isPresent()) {
                    found.add(folder.resolve(name));
                }
            }
        } catch (IOException e) {
            LOG.trace("{} has none", folder, e);
        }
        return found;
    }
}
