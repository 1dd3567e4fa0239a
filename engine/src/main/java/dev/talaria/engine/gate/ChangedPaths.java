package dev.talaria.engine.gate;

import dev.talaria.engine.config.Folders;
import dev.talaria.engine.gate.reading.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// The paths that a command changes, all of them.
///
/// @param lines `write PATH` or `delete PATH`, absolute, or with `~` for the home of whoever runs it
/// @param place the name of where that happens
/// @param here whether its files are this machine's, so that links can be followed
record ChangedPaths(List<String> lines, String place, boolean here) {
    private static final String WILD = "*?[{";

    /// Programs that change what their words say here, or nothing. What any other one does besides, nobody
    /// knows: it may work on another machine, or for another user.
    private static final Set<String> PLAIN = Set.of(
            "rm",
            "rmdir",
            "unlink",
            "tee",
            "cp",
            "mv",
            "install",
            "touch",
            "truncate",
            "mkdir",
            "echo",
            "printf",
            "cat",
            "cd",
            "ls",
            "pwd",
            "test",
            "[",
            "true",
            "false",
            ":");

    ChangedPaths {
        lines = List.copyOf(lines);
    }

    /// Returns the lines of all that a command changes; none if it may change more.
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

    /// Returns whether nothing changes but what lies below a folder; the folder itself does not.
    boolean below(Grant.Spot spot) {
        return spot.place().equals(place)
                && grantable(spot.folder())
                && !lines.isEmpty()
                && lines.stream().allMatch(line -> below(line, spot.folder()));
    }

    /// Below the root, a home or what holds homes is as good as anywhere.
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

    /// What a pattern matches may be a link that leads elsewhere.
    private static boolean unwild(String path) {
        return path.chars().noneMatch(c -> WILD.indexOf(c) >= 0);
    }

    /// Returns whether a path leads below a folder, links followed as far as there is something.
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
            return false; // a link to nothing, or out of sight
        }
    }
}
