package dev.talaria.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Processes of this machine, as `/proc` shows them.
public final class Processes {
    private static final Path PROC = Path.of("/proc");

    private Processes() {}

    /// One line of the process table.
    record Entry(long pid, String name, char state, long parent) {
        boolean dead() {
            return state == 'Z' || state == 'X';
        }
    }

    /// Returns whether a process exists and is no zombie.
    public static boolean lives(long pid) {
        return entry(pid).filter(entry -> !entry.dead()).isPresent();
    }

    static Optional<Entry> entry(long pid) {
        try {
            String stat = Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
            int open = stat.indexOf('(');
            int close = stat.lastIndexOf(')');
            String[] rest = stat.substring(close + 2).split(" ", 3);
            return Optional.of(
                    new Entry(pid, stat.substring(open + 1, close), rest[0].charAt(0), Long.parseLong(rest[1])));
        } catch (IOException e) {
            return Optional.empty(); // the process ended meanwhile
        }
    }

    /// Returns the living processes below a process, each with its command line.
    public static Map<Long, String> below(long root) {
        Map<Long, List<Long>> children = new HashMap<>();
        for (long pid : all()) {
            entry(pid)
                    .filter(found -> !found.dead())
                    .ifPresent(found -> children.computeIfAbsent(found.parent(), _ -> new ArrayList<>())
                            .add(found.pid()));
        }
        Map<Long, String> found = new HashMap<>();
        List<Long> todo = new ArrayList<>(List.of(root));
        while (!todo.isEmpty()) {
            for (long child : children.getOrDefault(todo.removeLast(), List.of())) {
                found.put(child, commandLine(child));
                todo.add(child);
            }
        }
        return found;
    }

    /// Returns the processes with these numbers in the sandbox where some process works in `folder`,
    /// which may be a container of this machine. Each comes with its command line.
    public static Map<Long, String> inside(String folder, Collection<Long> numbers) {
        Map<Long, String> found = new HashMap<>();
        Optional<Path> namespace = all().stream()
                .filter(pid -> link(pid, "cwd").equals(Optional.of(Path.of(folder))))
                .findFirst()
                .flatMap(pid -> link(pid, "ns/pid"));
        for (long pid : all()) {
            if (namespace.isPresent() && link(pid, "ns/pid").equals(namespace) && numbers.contains(innermost(pid))) {
                found.put(pid, commandLine(pid));
            }
        }
        return found;
    }

    private static Optional<Path> link(long pid, String name) {
        try {
            return Optional.of(Files.readSymbolicLink(PROC.resolve(pid + "/" + name)));
        } catch (IOException e) {
            return Optional.empty(); // it has ended, or belongs to another user
        }
    }

    /// Returns the number that a process has in its own namespace.
    private static long innermost(long pid) {
        try (Stream<String> lines = Files.lines(PROC.resolve(pid + "/status"), StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.startsWith("NSpid:"))
                    .map(line -> Long.valueOf(line.substring(line.lastIndexOf('\t') + 1)))
                    .findFirst()
                    .orElse(pid);
        } catch (IOException | UncheckedIOException e) {
            return pid;
        }
    }

    private static List<Long> all() {
        List<Long> pids = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(PROC, "[0-9]*")) {
            folders.forEach(folder -> pids.add(Long.valueOf(folder.getFileName().toString())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return pids;
    }

    /// Returns the command line of a process; nothing if it has ended.
    public static String commandLine(long pid) {
        try {
            return Files.readString(PROC.resolve(pid + "/cmdline"), StandardCharsets.ISO_8859_1)
                    .replace('\0', ' ')
                    .strip();
        } catch (IOException e) {
            return "";
        }
    }
}
