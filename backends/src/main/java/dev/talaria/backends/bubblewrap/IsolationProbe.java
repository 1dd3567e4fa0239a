package dev.talaria.backends.bubblewrap;

import dev.talaria.api.ReachableArea;
import dev.talaria.backends.bubblewrap.BubblewrapBackend.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a command in a sandbox can write to and connect to, according to the kernel's table of the
/// sandbox's mounts and network. A profile says what was wanted; this is the result.
///
/// @param writable mounts of the host's files that can be written to, by their paths inside
/// @param connected whether there is a network beyond the sandbox's own
record IsolationProbe(List<Path> writable, boolean connected) {
    /// Prints the mounts, and after an empty line the network's devices. It always exits with 0.
    static final List<String> PROBE =
            List.of("/bin/sh", "-c", "cat /proc/self/mountinfo; echo; cat /proc/net/dev; exit 0");

    private static final Set<String> DEVICES =
            Set.of("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/console");

    /// Reads the output of the probe.
    ///
    /// @param own the sandbox's own folder on the host's disk, which it may write to
    static IsolationProbe of(String printed, Path own) {
        int end = printed.indexOf("\n\n");
        String mounts = end < 0 ? "" : printed.substring(0, end);
        boolean connected = end < 0
                || printed.substring(end)
                        .lines()
                        .filter(line -> line.indexOf(':') > 0)
                        .map(line -> line.substring(0, line.indexOf(':')).strip())
                        .anyMatch(name -> !name.equals("lo"));
        MountTable inside = MountTable.of(mounts.lines());
        if (inside.all().findAny().isEmpty()) {
            return new IsolationProbe(List.of(Path.of("/")), true); // nothing is known, so nothing is proved
        }
        Set<String> hosts = devices();
        String folder = "/" + own.getFileName() + "/";
        List<Path> writable = inside.seen()
                .filter(MountTable.MountEntry::writable)
                .filter(mount -> hosts.isEmpty() || hosts.contains(mount.device()) || !fresh(mount))
                .filter(mount -> !mount.root().contains(folder) && !DEVICES.contains(mount.at()))
                .map(mount -> Path.of(mount.at()))
                .toList();
        return new IsolationProbe(writable, connected);
    }

    /// Returns whether the sandbox can have created the mount itself.
    private static boolean fresh(MountTable.MountEntry mount) {
        return Set.of("tmpfs", "proc", "devpts", "mqueue").contains(mount.type());
    }

    private static Set<String> devices() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/mountinfo"))) {
            return MountTable.of(lines).all().map(MountTable.MountEntry::device).collect(Collectors.toSet());
        } catch (IOException e) {
            return Set.of();
        }
    }

    /// Returns what a careless command can damage: less than everything only if the profile wants it
    /// and the mounts prove it.
    ///
    /// @param workspace the names of the working folder
    Set<ReachableArea> reach(Profile profile, Set<Path> workspace) {
        boolean only = writable.stream().allMatch(at -> workspace.stream().anyMatch(at::startsWith));
        return switch (profile) {
            case CLOSED -> writable.isEmpty() && !connected ? Set.of() : Set.of(ReachableArea.values());
            case WORKSPACE -> only ? Set.of(ReachableArea.WORK, ReachableArea.OUTSIDE) : Set.of(ReachableArea.values());
        };
    }
}
