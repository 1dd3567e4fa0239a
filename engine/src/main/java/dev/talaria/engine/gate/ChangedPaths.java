package dev.talaria.engine.gate;

import dev.talaria.engine.config.Folders;
import dev.talaria.engine.gate.reading.Reading;
import dev.talaria.engine.util.Words;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// All paths that a command changes.
///
/// @param lines `write PATH` or `delete PATH`, absolute, or with `~` for the home of the user who
///     runs it
/// @param sandbox the name of the sandbox with those files
/// @param here whether the files are this machine's, so that links can be followed
record ChangedPaths(List<String> lines, String sandbox, boolean here) {
    private static final String WILD = "*?[{";

    /// Programs that change only what their words name, on this machine. Any other program may change
    /// something else: it may work on another machine, or for another user.
    private static final Set<String> PLAIN = Words.set("""
            rm rmdir unlink tee cp mv install touch truncate mkdir echo printf cat cd ls pwd test [ true false :
            """);

    ChangedPaths {
        lines = List.copyOf(lines);
    }

    /// Returns the lines of all paths that a command changes; none if it may change others, too.
    static List<String> of(Reading reading) {
        return reading.unknown().isEmpty() && PLAIN.containsAll(reading.programs()) ? reading.writes() : List.of();
    }

    /// Returns a folder in the form that is compared and stored.
    static String clean(String folder, boolean here) {
        String meant = here ? Folders.expandHome(folder) : folder;
        return meant.startsWith("/") && meant.indexOf('\0') < 0
                ? Path.of(meant).normalize().toString()
                : meant;
    }

    /// Returns whether all changed paths lie below a folder. The folder itself does not.
    boolean below(Grant.SandboxFolder spot) {
        return spot.sandbox().equals(sandbox)
                && grantable(spot.folder())
                && !lines.isEmpty()
                && lines.stream().allMatch(line -> below(line, spot.folder()));
    }

    /// Returns whether a folder is narrow enough for a grant. The root, a home and the folders above
    /// a home are not: a grant below them would allow nearly everything.
    private boolean grantable(String folder) {
        return folder.startsWith("/")
                && !folder.equals("/")
                && !(here && Folders.home().normalize().startsWith(folder));
    }

    private boolean below(String line, String folder) {
        int blank = line.indexOf(' ');
        String verb = line.substring(0, Math.max(0, blank));
        String path = clean(line.substring(blank + 1), here);
        boolean clear = path.startsWith(folder + "/")
                && path.length() > folder.length() + 1
                && !List.of(path.split("/", -1)).contains("..");
        return clear
                && switch (verb) {
                    case "delete" -> unwild(parent(path)) && (!here || really(parent(path), folder));
                    case "write" -> unwild(path) && (!here || really(path, folder));
                    default -> false;
                };
    }

    private static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    /// Returns whether a path is no pattern. A pattern may match a link that leads elsewhere.
    private static boolean unwild(String path) {
        return path.chars().noneMatch(c -> WILD.indexOf(c) >= 0);
    }

    /// Returns whether a path leads below a folder. Follows links as far as the path exists.
    private static boolean really(String path, String folder) {
        try {
            Path there = Path.of(path);
            while (!Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
                Path above = there.getParent();
                if (above == null) {
                    return false;
                }
                there = above;
            }
            return there.toRealPath().startsWith(Path.of(folder).toRealPath());
        } catch (IOException e) {
            return false; // a link to nothing, or one that cannot be read
        }
    }
}
