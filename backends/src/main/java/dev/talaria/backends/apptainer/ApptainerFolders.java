package dev.talaria.backends.apptainer;

import dev.talaria.api.HomeFolder;
import dev.talaria.api.OwnFolder;
import dev.talaria.api.OwnUser;
import dev.talaria.backends.options.FolderNames;
import dev.talaria.backends.options.Options;
import dev.talaria.backends.process.Client;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The folders of this machine for the files of Apptainer sandboxes. Cluster nodes have little room
/// in `/tmp` and a lot in `/scratch`.
///
/// @param scratch the folder that all sandboxes share
/// @param cache the folder of built images
record ApptainerFolders(Path scratch, Path cache) {
    private static final System.Logger LOG = System.getLogger(ApptainerFolders.class.getName());
    private static final String PREFIX = "talaria-";

    /// Finds the folders, and creates them.
    ///
    /// @param options `scratch` and `cache`
    /// @param nodes the folder that clusters have on each node, usually `/scratch`
    static ApptainerFolders of(Options options, Path nodes, Map<String, String> host) {
        Path scratch = made(options.find("scratch").map(Path::of).orElseGet(() -> standard(nodes, host)), "scratch");
        Path cache = options.find("cache")
                .or(() -> Optional.ofNullable(host.get("APPTAINER_CACHEDIR")))
                .map(Path::of)
                .orElseGet(() -> scratch.resolve(".apptainer"));
        return new ApptainerFolders(scratch, made(cache, "cache"));
    }

    private static Path standard(Path nodes, Map<String, String> host) {
        String user = System.getProperty("user.name", "talaria");
        Path own = nodes.resolve(host.getOrDefault("USER", user));
        boolean usable = Files.exists(own) ? Files.isWritable(own) && ours(own) : Files.isWritable(nodes);
        if (Files.isDirectory(nodes) && usable) {
            return own.resolve("talaria");
        }
        return HomeFolder.of(host, "XDG_CACHE_HOME", ".cache")
                .resolve("talaria")
                .resolve("sandboxes");
    }

    /// Returns whether a folder belongs to us. Anybody can create one with our name where everybody
    /// may write.
    private static boolean ours(Path folder) {
        try {
            return Files.getOwner(folder).getName().equals(System.getProperty("user.name"));
        } catch (IOException e) {
            return false;
        }
    }

    private static Path made(Path folder, String option) {
        try {
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(folder, OwnFolder.MODE);
            }
            return folder.toRealPath();
        } catch (IOException e) {
            throw Client.unavailable("The folder " + folder + " for sandboxes cannot be made (" + e + "). Set option "
                    + option + " of the backend apptainer to one that can.");
        }
    }

    /// Creates a sandbox's own folder. Anybody can create a folder or a link with its name where
    /// everybody may write.
    private static Path own(Path folder) {
        Path made = Files.isSymbolicLink(folder) ? folder : made(folder, "scratch");
        try (OwnFolder own = OwnFolder.open(made, owners(made))) {
            return own.path();
        } catch (IOException e) {
            throw Client.unavailable("The folder " + folder + " for a sandbox cannot be used (" + e.getMessage()
                    + "). Move it away, or set option scratch of the backend apptainer to a folder of your own.");
        }
    }

    /// The files of one sandbox.
    ///
    /// @param top contains the others
    /// @param overlay the changes to the image; absent if they are kept in memory
    /// @param lock held as long as the sandbox is open, if its files outlive it
    record Own(Path top, Optional<Path> overlay, Optional<FileChannel> lock) {

        /// Returns the folder with `/tmp`, `/var/tmp` and the home folder.
        Path work() {
            return top.resolve("work");
        }

        void release() {
            try {
                if (lock.isPresent()) {
                    lock.get().close();
                } else {
                    delete(top);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    Own temporary(String name) {
        Path top = own(scratch.resolve(name));
        made(top.resolve("work"), "scratch");
        return new Own(top, Optional.empty(), Optional.empty());
    }

    /// Returns the folder with the files of a session.
    Path keptOf(String session) {
        return scratch.resolve(PREFIX + "session-" + FolderNames.of(session));
    }

    /// Returns the files of a session that are kept from one of its sandboxes to the next. Two
    /// sandboxes at a time would damage them, and Apptainer does not always notice.
    Own kept(String session) {
        Path top = own(keptOf(session));
        made(top.resolve("work"), "scratch");
        Path overlay = made(top.resolve("overlay"), "scratch");
        try {
            FileChannel channel =
                    FileChannel.open(top.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            try {
                if (channel.tryLock() != null) {
                    return new Own(top, Optional.of(overlay), Optional.of(channel));
                }
            } catch (OverlappingFileLockException e) {
                // Another sandbox of this process holds the lock.
            }
            channel.close();
        } catch (IOException e) {
            throw Client.unavailable("The folder " + top + " cannot be locked (" + e
                    + "). Set option scratch of the backend apptainer to one on another file system.");
        }
        throw Client.unavailable("The files of the session '" + session + "' (" + top
                + ") are in use by another sandbox. Close that one, give this session another name, or set option"
                + " persistent of the backend apptainer to false.");
    }

    /// Returns the number of bytes that all sandboxes use, without the images.
    long size() {
        try (Stream<Path> tops = Files.list(scratch)) {
            return tops.filter(top -> top.getFileName().toString().startsWith(PREFIX))
                    .mapToLong(top -> Client.size(List.of(top)))
                    .sum();
        } catch (IOException | UncheckedIOException e) {
            return 0;
        }
    }

    /// Removes a sandbox's files, even folders that commands made unreadable. Does not follow
    /// symbolic links.
    static void delete(Path top) {
        try {
            OwnFolder.remove(top, owners(top)).ifPresent(left -> LOG.log(System.Logger.Level.WARNING, left));
        } catch (NoSuchFileException e) {
            // The folder has gone already.
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, top + " is left: " + e);
        }
    }

    /// Returns the users that may own a sandbox's files. If root uses an Apptainer that runs as
    /// another user, sandboxes belong to the owner of the folder above them, who could remove them as
    /// well.
    private static Set<UserPrincipal> owners(Path top) throws IOException {
        Path above = Objects.requireNonNull(top.toAbsolutePath().getParent(), "a sandbox's folder is not the root");
        return Set.copyOf(List.of(OwnUser.principal(), Files.getOwner(above)));
    }
}
