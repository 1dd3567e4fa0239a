package dev.talaria.backends.apptainer;

import dev.talaria.backends.process.Client;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// The real properties of an Apptainer sandbox, seen from inside: sites configure Apptainer, and add
/// folders to every sandbox.
///
/// @param home the home folder inside
/// @param processes the process namespace, as the kernel names it
/// @param broken what should be separate and is not
/// @param given folders of this machine that are visible inside
/// @param writable those that can be written to
record ApptainerProbe(String home, String processes, List<String> broken, Set<String> given, Set<String> writable) {
    /// Mount points that belong to Apptainer itself, or contain the same few files everywhere.
    private static final Set<String> USUAL = Set.of(
            "/",
            "/etc/hosts",
            "/etc/localtime",
            "/etc/resolv.conf",
            "/etc/passwd",
            "/etc/group",
            "/.singularity.d/libs");

    /// The exit code if the folder does not exist and cannot be created.
    static final int NO_FOLDER = 9;

    private static final String SCRIPT = "echo \"$HOME\"; readlink /proc/self/ns/pid; readlink /proc/self/ns/net;"
            + " if [ -e \"$0\" ]; then echo seen; else echo hidden; fi;"
            + " case $1 in '~'*) d=$HOME${1#?};; *) d=$1;; esac;"
            + " if [ -n \"$d\" ]; then mkdir -p -- \"$d\" 2>/dev/null; (cd -- \"$d\") || exit " + NO_FOLDER + "; fi;"
            + " cat /proc/self/mountinfo";

    /// Returns the command to run inside.
    ///
    /// @param marker a file of this machine that must not be visible
    /// @param cwd a folder to create; empty for none
    static List<String> question(Path marker, String cwd) {
        return List.of("sh", "-c", SCRIPT, marker.toString(), cwd);
    }

    /// Returns a path inside with a leading `~` replaced by the home folder.
    String expanded(String path) {
        return path.startsWith("~") ? home + path.substring(1) : path;
    }

    /// Reads the answer.
    ///
    /// @param top the name of the sandbox's folder on this machine, which must contain `/tmp` and the
    ///     home folder
    /// @param ownNetwork whether it should have a network of its own, with nobody else in it
    static ApptainerProbe read(String printed, String top, boolean ownNetwork) {
        List<String> lines = printed.lines().toList();
        if (lines.size() < 5) {
            throw Client.unavailable("The sandbox does not show what it keeps out: its image needs sh, cat and"
                    + " readlink. Choose another image.");
        }
        List<String> broken = new ArrayList<>();
        if (lines.get(1).isEmpty() || lines.get(1).equals(here("pid"))) {
            broken.add("it sees the processes of this machine");
        }
        if (ownNetwork && (lines.get(2).isEmpty() || lines.get(2).equals(here("net")))) {
            broken.add("it has the network of this machine");
        }
        Set<String> given = new TreeSet<>();
        Set<String> writable = new TreeSet<>();
        if (lines.get(3).equals("seen")) {
            given.add("the folder of its own files");
            writable.add("the folder of its own files");
        }
        String home = lines.getFirst();
        for (String line : lines.subList(4, lines.size())) {
            // NUMBER PARENT DEVICE ROOT PLACE OPTIONS ... - TYPE SOURCE OPTIONS
            String[] fields = line.split(" ", -1);
            if (fields.length > 6 && given(fields[3], fields[4], home, top, line.contains(" - tmpfs "))) {
                given.add(fields[4]);
                if (fields[5].startsWith("rw")) {
                    writable.add(fields[4]);
                }
            }
        }
        return new ApptainerProbe(home, lines.get(1), List.copyOf(broken), given, writable);
    }

    private static boolean given(String root, String place, String home, String top, boolean memory) {
        if (USUAL.contains(place) || place.matches("/(dev|proc|sys)(/.*)?")) {
            return false;
        }
        boolean own = memory || List.of(root.split("/", -1)).contains(top);
        return !(own && (place.equals("/tmp") || place.equals("/var/tmp") || place.equals(home)));
    }

    private static String here(String namespace) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns", namespace)).toString();
        } catch (IOException e) {
            return "";
        }
    }
}
