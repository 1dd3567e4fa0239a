package dev.talaria.backends.bubblewrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// A control group of the kernel for one sandbox, below or beside our own, if we may create one: root
/// may on most machines, and so may users that systemd has given a part of the tree (version 2).
///
/// @param folders one, or one for each controller in version 1
record ControlGroup(List<Path> folders) {
    private static final Path TREE = Path.of("/sys/fs/cgroup");
    private static final Path OURS = Path.of("/proc/self/cgroup");
    private static final int TRIES = 50;

    /// Returns a group with these limits, if we may create one.
    static Optional<ControlGroup> make(String name, SandboxBounds bounds) {
        try {
            Map<String, String> ours = new LinkedHashMap<>(); // controller -> path; "" is version 2
            for (String line : Files.readAllLines(OURS)) {
                String[] parts = line.split(":", 3);
                for (String controller : parts[1].split(",", -1)) {
                    ours.put(controller, parts[2]);
                }
            }
            if (ours.containsKey("memory") && ours.containsKey("pids")) {
                return first(name, bounds, ours);
            }
            return Files.exists(TREE.resolve("cgroup.controllers")) && ours.containsKey("")
                    ? second(name, bounds, TREE.resolve("." + ours.get("")).normalize())
                    : Optional.empty();
        } catch (IOException | ArrayIndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    private static Optional<ControlGroup> first(String name, SandboxBounds bounds, Map<String, String> ours) {
        Path memory = TREE.resolve("memory")
                .resolve("." + ours.get("memory"))
                .resolve(name)
                .normalize();
        Path pids = TREE.resolve("pids")
                .resolve("." + ours.get("pids"))
                .resolve(name)
                .normalize();
        return made(
                new ControlGroup(List.of(memory, pids)),
                Map.of(
                        memory.resolve("memory.limit_in_bytes"), bounds.memory(),
                        pids.resolve("pids.max"), bounds.processes()));
    }

    /// Creates a group in version 2. A group with processes in it can have no limited groups below
    /// it, so ours is created beside our own, if that is allowed.
    private static Optional<ControlGroup> second(String name, SandboxBounds bounds, Path ours) {
        return Stream.of(ours.getParent(), ours)
                .filter(parent -> parent != null && parent.startsWith(TREE) && Files.isWritable(parent))
                .map(parent -> parent.resolve(name))
                .flatMap(group -> made(
                        new ControlGroup(List.of(group)),
                        Map.of(
                                group.resolve("memory.max"), bounds.memory(),
                                group.resolve("pids.max"), bounds.processes()))
                        .stream())
                .findFirst();
    }

    private static Optional<ControlGroup> made(ControlGroup group, Map<Path, OptionalLong> limits) {
        try {
            for (Path folder : group.folders) {
                Files.createDirectory(folder);
            }
            for (Map.Entry<Path, OptionalLong> limit : limits.entrySet()) {
                if (limit.getValue().isPresent()) {
                    Files.writeString(
                            limit.getKey(), String.valueOf(limit.getValue().getAsLong()));
                }
            }
            return Optional.of(group);
        } catch (IOException e) {
            group.remove();
            return Optional.empty();
        }
    }

    /// Returns the files that a process writes 0 to in order to join.
    List<String> doors() {
        return folders.stream().map(folder -> folder + "/cgroup.procs").toList();
    }

    /// Returns how much memory its processes use now.
    OptionalLong memory() {
        return Stream.of("memory.current", "memory.usage_in_bytes")
                .map(folders.getFirst()::resolve)
                .filter(Files::isReadable)
                .mapToLong(ControlGroup::number)
                .filter(number -> number >= 0)
                .findFirst();
    }

    private static long number(Path file) {
        try {
            return Long.parseLong(
                    Files.readString(file, StandardCharsets.US_ASCII).strip());
        } catch (IOException | NumberFormatException e) {
            return -1;
        }
    }

    /// Kills all processes in the group, and removes it.
    void remove() {
        for (Path folder : folders) {
            for (int i = 0; i < TRIES && Files.isDirectory(folder); i++) {
                members(folder).forEach(ProcessHandle::destroyForcibly);
                try {
                    Files.delete(folder);
                } catch (IOException e) {
                    pause(); // its last process is about to end
                }
            }
        }
    }

    private static List<ProcessHandle> members(Path folder) {
        List<ProcessHandle> members = new ArrayList<>();
        try {
            for (String pid : Files.readAllLines(folder.resolve("cgroup.procs"))) {
                ProcessHandle.of(Long.parseLong(pid)).ifPresent(members::add);
            }
        } catch (IOException | NumberFormatException e) {
            // The group has just gone.
        }
        return members;
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Stores the group's path, for {@link #read}.
    void write(Path file) throws IOException {
        Files.write(file, folders.stream().map(Path::toString).toList());
    }

    /// Returns the group of this name that an earlier Talaria stored. It may have gone since.
    static Optional<ControlGroup> read(Path file, String name) {
        try {
            List<Path> folders = Files.readAllLines(file).stream()
                    .map(line -> Path.of(line).normalize())
                    .filter(folder -> folder.startsWith(TREE) && folder.endsWith(name))
                    .toList();
            return folders.isEmpty() ? Optional.empty() : Optional.of(new ControlGroup(folders));
        } catch (IOException e) {
            return Optional.empty(); // there was none
        }
    }
}
