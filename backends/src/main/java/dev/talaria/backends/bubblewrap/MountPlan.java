package dev.talaria.backends.bubblewrap;

import dev.talaria.api.OwnFolder;
import dev.talaria.api.Reason;
import dev.talaria.backends.process.Client;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The view of the file system in a bubblewrap sandbox, as words for `bwrap`. Later mounts cover
/// earlier ones. All paths are real ones: a link among them would be followed inside, where it leads
/// elsewhere.
///
/// A folder that commands can write to and that outlives them (the sandbox's own /tmp and home) may
/// contain mount points. Commands must not be able to rename the folders above those: the next
/// command's mounts would follow the folder that was put there instead. So each of these folders is
/// itself a mount, which nobody can rename.
final class MountPlan {
    private enum Kind {
        /// The host's own files.
        HOST,
        /// The sandbox's own files, kept between commands.
        OWN,
        /// Nothing but mount points.
        EMPTY
    }

    /// @param from the mounted file or folder
    private record PlannedMount(Path at, Kind kind, boolean writable, Path from) {}

    private final List<PlannedMount> mounts = new ArrayList<>();
    private final List<String> words = new ArrayList<>();
    private final List<Path> empty = new ArrayList<>();

    /// Starts with all of the host's files, read-only, and with devices and processes of its own.
    MountPlan() {
        words.addAll(List.of("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"));
        mounts.add(new PlannedMount(Path.of("/"), Kind.HOST, false, Path.of("/")));
    }

    /// Covers a folder of the host by one of the sandbox.
    void replace(Path at, Path own) {
        protectParents(at);
        add(new PlannedMount(at, Kind.OWN, true, own), "--bind", own.toString(), at.toString());
    }

    /// Covers a folder of the host by an empty one.
    void clear(Path at) {
        add(new PlannedMount(at, Kind.EMPTY, false, at), "--tmpfs", at.toString());
        empty.add(at);
    }

    /// Shows a file or folder of the host, even where another mount covers it.
    void show(Path at, boolean writable) {
        show(at, at, writable);
    }

    /// Shows a file or folder of the host under another name.
    void show(Path what, Path at, boolean writable) {
        protectParents(at);
        String word = writable ? "--bind-try" : "--ro-bind-try";
        add(new PlannedMount(at, Kind.HOST, writable, what), word, what.toString(), at.toString());
    }

    /// Hides a file or folder of the host if it is visible.
    ///
    /// A path that does not exist yet does not matter if nobody inside could create it.
    void hide(Path at) {
        PlannedMount over = over(at);
        if (over.kind != Kind.HOST || !Files.exists(at, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Path parent = at.getParent();
        if (over.writable && parent != null && !parent.equals(over.at)) {
            show(firstBelow(over.at, at), false); // this folder, and not only the parent: that could be renamed
        }
        if (Files.isDirectory(at)) {
            clear(at);
        } else {
            Path nothing = Path.of("/dev/null"); // besides, devices cannot be opened there
            add(new PlannedMount(at, Kind.EMPTY, false, nothing), "--ro-bind", nothing.toString(), at.toString());
        }
    }

    /// Returns whether the host's own file or folder is visible there.
    boolean shows(Path at) {
        return over(at).kind == Kind.HOST;
    }

    /// Returns whether commands could create or change this path on the host.
    boolean exposes(Path at) {
        return shows(at) && over(at).writable;
    }

    List<String> words() {
        List<String> all = new ArrayList<>(words);
        empty.stream()
                .filter(at -> over(at).kind == Kind.EMPTY && over(at).at.equals(at)) // and not covered by a later mount
                .forEach(at -> all.addAll(List.of("--remount-ro", at.toString())));
        return all;
    }

    private void protectParents(Path at) {
        Path parent = at.getParent();
        if (parent == null) {
            return;
        }
        for (PlannedMount over = over(parent); over.kind == Kind.OWN && !over.at.equals(parent); over = over(parent)) {
            Path next = firstBelow(over.at, parent);
            Path own = over.from.resolve(next.getFileName());
            make(own);
            add(new PlannedMount(next, Kind.OWN, true, own), "--bind", own.toString(), next.toString());
        }
    }

    private static void make(Path own) {
        try {
            Files.createDirectories(own, OwnFolder.MODE);
        } catch (IOException e) {
            throw Client.unavailable("Cannot make " + own + " (" + Reason.of(e) + "). Make room there.");
        }
    }

    private static Path firstBelow(Path above, Path path) {
        return above.resolve(above.relativize(path).getName(0));
    }

    private PlannedMount over(Path path) {
        return mounts.reversed().stream()
                .filter(mount -> path.startsWith(mount.at))
                .findFirst()
                .orElseThrow();
    }

    private void add(PlannedMount mount, String... more) {
        mounts.add(mount);
        words.addAll(List.of(more));
    }
}
