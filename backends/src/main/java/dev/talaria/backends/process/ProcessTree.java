package dev.talaria.backends.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/// A process, its descendants and its session, as `/proc` shows them: children that were forked twice
/// have left the tree but not the session. Processes that have left both cannot be found here; the
/// relay's keeper or a sweep finds them.
final class ProcessTree {
    private static final Path PROC = Path.of("/proc");
    private static final int MAX_ROUNDS = 20;
    private static final Duration STANDS_STILL = Duration.ofMillis(300);
    private static final Duration PAUSE = Duration.ofNanos(200_000);

    private final ProcessHandle root;

    ProcessTree(ProcessHandle root) {
        this.root = root;
    }

    /// A process, as `/proc/PID/stat` shows it.
    private record Entry(long pid, boolean dead, boolean stopped, long parent, long session) {

        /// Reads `PID (NAME) STATE PARENT GROUP SESSION ...`. The name may contain anything, even
        /// brackets.
        static Optional<Entry> parse(String stat) {
            int nameEnd = stat.lastIndexOf(')');
            int nameStart = stat.indexOf(" (");
            if (nameEnd < 0 || nameStart < 0) {
                return Optional.empty();
            }
            String[] fields = stat.substring(nameEnd + 1).strip().split(" ", 5);
            boolean dead = fields[0].equals("Z") || fields[0].equals("X");
            return Optional.of(new Entry(
                    Long.parseLong(stat.substring(0, nameStart)),
                    dead,
                    fields[0].equals("T") || fields[0].equals("t"),
                    Long.parseLong(fields[1]),
                    Long.parseLong(fields[3])));
        }
    }

    /// Kills the whole tree. A process may fork during the search, and when it is dead, its child
    /// belongs to nobody. So all processes are stopped first, until no new one is found.
    void kill() {
        try {
            Set<Long> members = new HashSet<>(Set.of(root.pid()));
            Set<Long> stopped = new HashSet<>();
            List<Entry> living = living(members);
            for (int round = 0; round < MAX_ROUNDS && stopped.addAll(pids(living)); round++) {
                stop(pids(living));
                living = still(members, stopped);
            }
            pids(living).forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        } catch (UncheckedIOException e) {
            // There is no /proc: only the processes that the JVM itself can see are killed.
            root.descendants().forEach(ProcessHandle::destroyForcibly);
            root.destroyForcibly();
        }
    }

    /// Returns the living processes as soon as all stopped ones stand still: a process in the middle
    /// of a fork finishes it first, which takes a while on a busy machine. A process of another user
    /// never stops.
    private List<Entry> still(Set<Long> members, Set<Long> told) {
        long end = System.nanoTime() + STANDS_STILL.toNanos();
        List<Entry> living = living(members);
        while (living.stream().anyMatch(one -> !one.stopped() && told.contains(one.pid()))
                && System.nanoTime() < end
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(PAUSE.toNanos());
            living = living(members);
        }
        return living;
    }

    private static List<Long> pids(List<Entry> entries) {
        return entries.stream().map(Entry::pid).toList();
    }

    private static void stop(List<Long> pids) {
        List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", "kill -STOP \"$@\"", "sh"));
        pids.forEach(pid -> argv.add(String.valueOf(pid)));
        try {
            Process process = new ProcessBuilder(argv)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Adds the current descendants to `members`, and returns the living ones.
    private List<Entry> living(Set<Long> members) {
        boolean ownsNumber = ProcessHandle.of(root.pid()).map(root::equals).orElse(true);
        if (!ownsNumber) {
            return List.of(); // ours ended long ago, and its number belongs to another process
        }
        Map<Long, List<Entry>> children = new HashMap<>();
        List<Entry> living = new ArrayList<>();
        Deque<Long> todo = new ArrayDeque<>(members);
        Map<Long, Entry> all = processes();
        for (Entry entry : all.values()) {
            children.computeIfAbsent(entry.parent(), _ -> new ArrayList<>()).add(entry);
            if (entry.session() == root.pid() && members.add(entry.pid())) {
                todo.add(entry.pid());
            }
        }
        while (!todo.isEmpty()) {
            for (Entry child : children.getOrDefault(todo.remove(), List.of())) {
                if (members.add(child.pid())) {
                    todo.add(child.pid());
                }
            }
        }
        for (long pid : members) {
            Entry entry = all.get(pid);
            if (entry != null && !entry.dead()) {
                living.add(entry);
            }
        }
        return living;
    }

    private static Map<Long, Entry> processes() {
        Map<Long, Entry> found = new HashMap<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path folder : folders) {
                read(folder).ifPresent(entry -> found.put(entry.pid(), entry));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private static Optional<Entry> read(Path folder) {
        try {
            return Entry.parse(Files.readString(folder.resolve("stat"), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return Optional.empty(); // the process ended during the search
        }
    }
}
