package dev.talaria.backends.bubblewrap;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The kernel's table of mounts (`/proc/PID/mountinfo`), by their numbers.
record MountTable(Map<String, MountEntry> byId) {

    /// One line of the table.
    ///
    /// @param parent the number of the mount that it lies on
    /// @param device the number of the file system
    /// @param root the mounted part of the file system
    /// @param at where it is visible, unless another mount covers it
    record MountEntry(String id, String parent, String device, String root, String at, boolean writable, String type) {
        private static Stream<MountEntry> of(String line) {
            String[] words = line.split(" ", -1);
            int dash = List.of(words).indexOf("-");
            if (dash < 6 || words.length < dash + 4) {
                return Stream.empty();
            }
            boolean writable = has(words[5], "rw") && has(words[dash + 3], "rw");
            return Stream.of(new MountEntry(
                    words[0], words[1], words[2], plain(words[3]), plain(words[4]), writable, words[dash + 1]));
        }

        private static boolean has(String options, String option) {
            return List.of(options.split(",", -1)).contains(option);
        }

        private static String plain(String path) {
            return path.replace("\\040", " ")
                    .replace("\\011", "\t")
                    .replace("\\012", "\n")
                    .replace("\\134", "\\");
        }

        private boolean above(MountEntry other) {
            return other.at.startsWith(at.endsWith("/") ? at : at + "/");
        }
    }

    static MountTable of(Stream<String> lines) {
        Map<String, MountEntry> all = new LinkedHashMap<>();
        lines.flatMap(MountEntry::of).forEach(mount -> all.put(mount.id, mount));
        return new MountTable(all);
    }

    Stream<MountEntry> all() {
        return byId.values().stream();
    }

    /// Returns the mounts that a path can reach. Other mounts cover the rest.
    Stream<MountEntry> seen() {
        return all().filter(mount -> all().noneMatch(over -> covers(over, mount)) && reached(mount));
    }

    /// Returns whether no mount on the way to it covers it.
    private boolean reached(MountEntry mount) {
        MountEntry parent = byId.get(mount.parent);
        if (parent == null || parent.equals(mount)) {
            return true;
        }
        boolean hidden = all().anyMatch(over ->
                !over.equals(mount) && (covers(over, parent) || (over.parent.equals(parent.id) && over.above(mount))));
        return (!hidden || covers(mount, parent)) && reached(parent);
    }

    /// Returns whether a mount covers all of another.
    private static boolean covers(MountEntry over, MountEntry under) {
        return !over.equals(under) && over.parent.equals(under.id) && over.at.equals(under.at);
    }
}
