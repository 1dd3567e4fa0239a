package dev.talaria.engine.job;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Ends the processes on this machine that a killed Talaria has left. When Talaria dies, its relays
/// end their processes. These processes belong to relays that were killed or stopped as well.
public final class Orphans {
    private static final Path PROC = Path.of("/proc");
    private static final String RELAY = "EARLY=b"; // in the program of a relay, and in no other
    private static final String INTERPRETER =
            "zygote(socket.socket(fileno=3)"; // in the programs of a relay's interpreters and keepers
    private static final Duration STEP = Duration.ofMillis(250);
    private static final int KEEPERS_END_THEIRS = 4; // steps
    private static final int RELAYS_END_THEIRS = 40;
    private static final int MOST = 80;

    private Orphans() {}

    /// @param mark the mark that the process carries
    /// @param relay whether it is a relay, which ends all other processes with its mark
    private record Orphan(ProcessHandle process, ProcessMark mark, boolean relay) {}

    /// Ends the orphans in the background. A relay or keeper that still works gets the time to end
    /// its own processes, since it knows better which ones those are.
    public static void end() {
        Thread.ofVirtual().name("orphans").start(() -> {
            try {
                List<Orphan> left = find();
                for (int step = 0; step < MOST && !left.isEmpty(); step++) {
                    kill(left, step);
                    Thread.sleep(STEP);
                    left = find();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static void kill(List<Orphan> orphans, int step) {
        Set<ProcessMark> lookedAfter = new HashSet<>();
        if (step < RELAYS_END_THEIRS) {
            orphans.stream().filter(Orphan::relay).map(Orphan::mark).forEach(lookedAfter::add);
        }
        if (step >= KEEPERS_END_THEIRS) {
            orphans.stream()
                    .filter(orphan -> !lookedAfter.contains(orphan.mark))
                    .map(Orphan::process)
                    .flatMap(process -> Stream.concat(process.descendants(), Stream.of(process)))
                    .forEach(ProcessHandle::destroyForcibly);
        }
    }

    /// Returns the orphans that live now. We cannot read the environment of a relay's own processes,
    /// so their command line counts. In any other command line a mark means nothing: somebody may
    /// just be searching for it.
    private static List<Orphan> find() {
        List<Orphan> found = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path folder : folders) {
                String line = words(folder, "cmdline");
                ofOurOwn(line)
                        .or(() -> ProcessMark.find(words(folder, "environ")))
                        .filter(ProcessMark::orphaned)
                        .ifPresent(mark -> ProcessHandle.of(
                                        Long.parseLong(folder.getFileName().toString()))
                                .ifPresent(process -> found.add(new Orphan(process, mark, line.contains(RELAY)))));
            }
        } catch (IOException e) {
            return List.of(); // no /proc here
        }
        return found;
    }

    /// Returns the mark in a command line of ours: `python ... -c PROGRAM MARK`.
    private static Optional<ProcessMark> ofOurOwn(String line) {
        List<String> words = List.of(line.split("\0"));
        int last = words.size() - 1;
        if (last < 3 || !words.get(last - 2).equals("-c")) {
            return Optional.empty();
        }
        String program = words.get(last - 1);
        return program.contains(RELAY) || program.contains(INTERPRETER)
                ? ProcessMark.of(words.get(last))
                : Optional.empty();
    }

    private static String words(Path folder, String name) {
        try {
            return Files.readString(folder.resolve(name), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // the process has ended, or belongs to another user
        }
    }
}
