package dev.talaria.backends.bubblewrap;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What a bubblewrap sandbox sees of the file system, as words for `bwrap`. Later mounts lie over earlier ones. All
/// paths are real ones: a link among them would be followed in a place where it leads elsewhere.
///
/// A folder that commands can write to and that outlives them (the sandbox's own /tmp and home) may hold mount points,
/// and the folders above those must not be theirs to rename: the next command's mounts would follow what was put there
/// instead. So the topmost of such folders is itself a mount, and read-only.
final class MountPlan {
    private enum Kind {
        /// The host's own files.
        HOST,
        /// The sandbox's own, kept between commands.
        OWN,
        /// Nothing but mount points.
        EMPTY
    }

    private record Mount(Path at, Kind kind, boolean writable) {}

    private final List<Mount> mounts = new ArrayList<>();
    private final List<String> words = new ArrayList<>();
    private final List<Path> empty = new ArrayList<>();

    /// Starts with all of the host's files, read-only, and devices and processes of its own.
    MountPlan() {
        words.addAll(List.of("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"));
        mounts.add(new Mount(Path.of("/"), Kind.HOST, false));
    }

    /// Puts a folder of the sandbox's own over one of the host's.
    void replace(Path at, Path own) {
        protectParents(at);
        add(at, Kind.OWN, true, "--bind", own.toString(), at.toString());
    }

    /// Puts an empty folder over one of the host's.
    void clear(Path at) {
        add(at, Kind.EMPTY, false, "--tmpfs", at.toString());
        empty.add(at);
    }

    /// Shows a file or folder of the host, through whatever lies over it.
    void show(Path at, boolean writable) {
        show(at, at, writable);
    }

    /// Shows a file or folder of the host under another name.
    void show(Path what, Path at, boolean writable) {
        protectParents(at);
        add(at, Kind.HOST, writable, writable ? "--bind-try" : "--ro-bind-try", what.toString(), at.toString());
    }

    /// Hides a file or folder if the host's would be seen.
    ///
    /// One that is not there yet is of no concern where nobody inside could make it.
    void hide(Path at) {
        Mount over = over(at);
        if (over.kind != Kind.HOST || !Files.exists(at, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Path parent = at.getParent();
        if (over.writable && parent != null && !parent.equals(over.at)) {
            show(firstBelow(over.at, at), false); // it, and not only its parent: that could be renamed
        }
        if (Files.isDirectory(at)) {
            clear(at);
        } else {
            add(at, Kind.EMPTY, false, "--ro-bind", "/dev/null", at.toString()); // and devices cannot be opened there
        }
    }

    /// Returns whether the host's own file or folder is seen there.
    boolean shows(Path at) {
        return over(at).kind == Kind.HOST;
    }

    /// Returns whether commands could make or change this on the host.
    boolean exposes(Path at) {
        return shows(at) && over(at).writable;
    }

    List<String> words() {
        List<String> all = new ArrayList<>(words);
        empty.stream()
                .filter(at -> over(at).kind == Kind.EMPTY && over(at).at.equals(at)) // and not covered again
                .forEach(at -> all.addAll(List.of("--remount-ro", at.toString())));
        return all;
    }

    private void protectParents(Path at) {
        Path parent = at.getParent();
        if (parent == null) {
            return;
        }
        Mount over = over(parent);
        if (over.kind == Kind.OWN && !over.at.equals(parent)) {
            clear(firstBelow(over.at, at));
        }
    }

    private static Path firstBelow(Path above, Path path) {
        return above.resolve(above.relativize(path).getName(0));
    }

    private Mount over(Path path) {
        return mounts.reversed().stream()
                .filter(mount -> path.startsWith(mount.at))
                .findFirst()
                .orElseThrow();
    }

    private void add(Path at, Kind kind, boolean writable, String... more) {
        mounts.add(new Mount(at, kind, writable));
        words.addAll(List.of(more));
    }
}
