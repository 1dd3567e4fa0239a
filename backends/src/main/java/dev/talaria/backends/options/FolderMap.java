package dev.talaria.backends.options;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Maps paths of this machine to paths in a container, which has its own files and few of this
/// machine's.
///
/// @param shared folders of this machine that are visible there; later ones cover earlier ones
/// @param home the home folder inside
public record FolderMap(List<Shared> shared, String home) {
    public FolderMap {
        shared = List.copyOf(shared);
    }

    /// A folder of this machine, with its path inside.
    public record Shared(String source, String target) {}

    /// Returns the path of a folder inside; nothing if it looks like a folder of this machine that is
    /// not visible there.
    public Optional<String> inside(String wanted) {
        for (Shared one : shared.reversed()) {
            if (within(wanted, one.source)) {
                int common = one.source.equals("/") ? 0 : one.source.length();
                return Optional.of(one.target + wanted.substring(common));
            }
        }
        if (wanted.equals("~") || wanted.startsWith("~/")) {
            return Optional.of(home + wanted.substring(1));
        }
        return looksLikeOurs(wanted) ? Optional.empty() : Optional.of(wanted);
    }

    private boolean looksLikeOurs(String wanted) {
        if (!wanted.startsWith("/") || wanted.startsWith("/Users/")) { // a drive letter makes no absolute path, either
            return true;
        }
        // A home may have the same name here and inside: a path that exists in ours means ours.
        boolean ofItsHome = wanted.equals(home) || (within(wanted, home) && !Files.exists(Path.of(wanted)));
        return wanted.startsWith("/home/") && !ofItsHome;
    }

    /// Returns whether a path is a folder or leads into it.
    public static boolean within(String path, String folder) {
        return path.equals(folder) || path.startsWith(folder.equals("/") ? "/" : folder + "/");
    }
}
