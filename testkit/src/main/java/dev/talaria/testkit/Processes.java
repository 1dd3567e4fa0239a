package dev.talaria.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    /// Returns whether a process is there and no zombie.
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
            return Optional.empty(); // it ended while we were looking
        }
    }

    /// Returns what lives below a process, each with its command line.
    public static Map<Long, String> below(long root) {
        Map<Long, List<Long>> children = new HashMap<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path folder : folders) {
                entry(Long.parseLong(folder.getFileName().toString()))
                        .filter(found -> !found.dead())
                        .ifPresent(found -> children.computeIfAbsent(found.parent(), _ -> new ArrayList<>())
                                .add(found.pid()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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

    /// Returns what a process was started as; nothing if it has ended.
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
