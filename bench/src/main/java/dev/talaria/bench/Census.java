package dev.talaria.bench;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import dev.talaria.engine.json.Json;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Everything that this JVM holds at a moment. Anything that exists later and did not exist before
/// has leaked.
///
/// @param processes its descendants
/// @param threads its threads, including virtual ones, without those of the JDK itself
/// @param files the content of the given folders
/// @param descriptors its open files and sockets, and those of its descendants if they are readable
record Census(Set<String> processes, Set<String> threads, Set<String> files, Set<String> descriptors) {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MOST_NAMED = 3;

    /// Threads of pools that the JDK fills at any time, and empties after a minute or never.
    private static final Pattern OF_THE_JDK = Pattern.compile(
            "(ForkJoinPool-.*|process reaper.*|.*-unparker.*|.*-Poller.*|Attach Listener|Common-Cleaner|Cleaner-\\d+|"
                    + "Signal Dispatcher|Notification Thread|C\\d CompilerThread\\d+)");

    private static final Pattern OPENED_BY_THE_JVM =
            Pattern.compile(".*(\\.jar|\\.aot|/modules|/urandom|/random|/fd|/null)");

    /// Lists everything that exists now, with the files below `folders`.
    static Census take(List<Path> folders) throws IOException {
        List<ProcessHandle> descendants = ProcessHandle.current().descendants().toList();
        Set<String> descriptors = descriptorsOf(ProcessHandle.current());
        for (ProcessHandle descendant : descendants) {
            descriptors.addAll(descriptorsOf(descendant));
        }
        return new Census(
                descendants.stream().map(Census::describe).collect(Collectors.toCollection(TreeSet::new)),
                runningThreads(),
                filesIn(folders),
                descriptors);
    }

    /// Returns everything that exists now and did not exist `before`. Waits a while for things that
    /// are about to end. Up to `allowed` processes, threads and descriptors each may be new, since
    /// pools fill.
    static List<String> leaks(Census before, List<Path> folders, int allowed) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            List<String> found = take(folders).since(before, allowed);
            if (found.isEmpty() || System.nanoTime() > end) {
                return found;
            }
            Thread.sleep(100);
        }
    }

    private List<String> since(Census before, int allowed) {
        List<String> found = new ArrayList<>();
        compare("process", before.processes, processes, allowed, found);
        compare("thread", before.threads, threads, allowed, found);
        compare("file", before.files, files, 0, found);
        compare("descriptor", before.descriptors, descriptors, allowed, found);
        return found;
    }

    private static void compare(String kind, Set<String> before, Set<String> now, int allowed, List<String> found) {
        // A replacement is no leak: a pool may renew its content.
        if (now.size() > before.size() + allowed) {
            Set<String> more = new TreeSet<>(now);
            more.removeAll(before);
            found.add((now.size() - before.size()) + " leaked of kind " + kind + ": "
                    + more.stream().limit(MOST_NAMED).collect(Collectors.joining(", ")));
        }
    }

    private static String describe(ProcessHandle process) {
        return process.pid() + " " + process.info().commandLine().orElse("(unknown)");
    }

    private static Set<String> filesIn(List<Path> folders) throws IOException {
        Set<String> found = new TreeSet<>();
        for (Path folder : folders) {
            if (Files.exists(folder)) {
                try (Stream<Path> files = Files.walk(folder)) {
                    files.map(Path::toString).forEach(found::add);
                }
            }
        }
        return found;
    }

    private static Set<String> descriptorsOf(ProcessHandle process) {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> links = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
            for (Path link : links.toList()) {
                String target = target(link);
                if (!OPENED_BY_THE_JVM.matcher(target).matches()) {
                    found.add(process.pid() + " " + link.getFileName() + " " + target);
                }
            }
        } catch (IOException e) {
            // The process has ended, or we may not read it, as ordinary users may not read the relay.
        }
        return found;
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return "/null"; // closed meanwhile
        }
    }

    private static Set<String> runningThreads() throws IOException {
        Path dump = Files.createTempDirectory("talaria-threads-").resolve("dump.json");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(dump.toString(), ThreadDumpFormat.JSON);
            Set<String> found = new TreeSet<>();
            collect(Json.object(Files.readAllBytes(dump)), found);
            return found;
        } finally {
            Files.deleteIfExists(dump);
            Files.deleteIfExists(dump.getParent());
        }
    }

    /// Collects the threads of a dump: they are in containers, each an object with a `tid` and a
    /// `name`.
    private static void collect(Object part, Set<String> found) {
        if (part instanceof Map<?, ?> map) {
            Object name = map.get("name");
            if (map.containsKey("tid")
                    && !OF_THE_JDK.matcher(String.valueOf(name)).matches()) {
                found.add(map.get("tid") + " " + name);
            }
            map.values().forEach(inner -> collect(inner, found));
        } else if (part instanceof List<?> list) {
            list.forEach(inner -> collect(inner, found));
        }
    }
}
