package dev.talaria.cli.doctor;

import dev.talaria.api.Isolation;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.json.JsonFields;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Attempts of a script to leave its sandbox, for doctor's report. It plants files to find, forbidden names to
/// create, and a port to reach.
final class Escapes implements AutoCloseable {
    private static final String NAME = "talaria-doctor-" + UUID.randomUUID();

    private final boolean tried;
    private final Path home = Folders.home();
    private final Map<Path, String> planted = new LinkedHashMap<>();
    private final List<Path> forbidden;
    private final Optional<ServerSocket> server;

    private Escapes(boolean tried, List<Path> forbidden) {
        this.tried = tried;
        this.forbidden = forbidden;
        this.server = tried ? listen() : Optional.empty();
    }

    /// Plants the files. Without isolation, or on another machine, it tries nothing.
    static Escapes prepare(Settings settings, Isolation isolation) {
        boolean tried = isolation != Isolation.NONE && isolation != Isolation.MACHINE;
        Path home = Folders.home();
        Path work = Folders.workingFolder(settings.cwd().orElse(""));
        List<Path> forbidden = Stream.of(
                        home,
                        settings.folders().state(),
                        HostChecks.existing(settings.folders().config()),
                        work.getParent(),
                        Path.of("/etc"),
                        Path.of("/tmp"))
                .filter(folder -> tried && folder != null)
                .map(folder -> folder.resolve(NAME + ".new"))
                .toList();
        Escapes escapes = new Escapes(tried, forbidden);
        if (tried) {
            escapes.plant(HostChecks.existing(settings.folders().state()), "Talaria's own files");
            escapes.plant(home, "your home");
        }
        return escapes;
    }

    private static Optional<ServerSocket> listen() {
        try {
            return Optional.of(new ServerSocket(0, 5, InetAddress.getLoopbackAddress()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private void plant(Path folder, String what) {
        try {
            planted.put(Files.writeString(folder.resolve(NAME), NAME), what);
        } catch (IOException e) {
            // We cannot create it either: then there is nothing to find.
        }
    }

    /// Returns the attempts for the script.
    Map<String, Object> orders() {
        Map<String, Object> orders = new LinkedHashMap<>();
        List<Path> read = new ArrayList<>(planted.keySet());
        if (tried) {
            Stream.of(".ssh", ".gnupg", ".aws")
                    .map(home::resolve)
                    .filter(Files::isDirectory)
                    .forEach(read::add);
            Stream.of(Path.of("/run/user")).filter(Files::exists).forEach(read::add);
        }
        orders.put("pid", ProcessHandle.current().pid());
        orders.put("start", start());
        orders.put("read", read.stream().map(Path::toString).toList());
        orders.put("write", forbidden.stream().map(Path::toString).toList());
        orders.put("port", server.map(ServerSocket::getLocalPort).orElse(0));
        return orders;
    }

    private static String start() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"));
            return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19];
        } catch (IOException e) {
            return "unknown";
        }
    }

    /// Returns the findings about the attempts.
    List<Finding> findings(Map<String, Object> facts) {
        if (!tried || facts.isEmpty()) {
            return List.of();
        }
        List<Finding> findings = new ArrayList<>();
        List<String> read = JsonFields.object(facts, "read").entrySet().stream()
                .filter(entry -> ours(Path.of(String.valueOf(entry.getKey())), entry.getValue()))
                .map(entry -> planted.getOrDefault(Path.of(String.valueOf(entry.getKey())), "" + entry.getKey()))
                .toList();
        findings.add(of(
                read.isEmpty(),
                "reading",
                "keys, home and Talaria's own files are out of sight",
                "a script read " + String.join(", ", read)));
        List<String> made = forbidden.stream()
                .filter(Files::exists)
                .map(path -> String.valueOf(path.getParent()))
                .toList();
        findings.add(of(
                made.isEmpty(),
                "writing",
                "nothing was written outside of the working folder",
                "a script wrote to " + String.join(", ", made)));
        findings.add(of(no(facts, "process"), "processes", "ours cannot be seen", "a script saw ours"));
        findings.add(of(
                no(facts, "terminals"),
                "typing",
                "no script types into a terminal (TIOCSTI)",
                "a script typed into a terminal (TIOCSTI)"));
        findings.add(
                no(facts, "namespaces")
                        ? Finding.ok("namespaces", "no script makes user namespaces")
                        : Finding.warn(
                                "namespaces",
                                "a script made a user namespace, from where more of the kernel can be attacked",
                                "Filter system calls (seccomp)."));
        if (server.isPresent()) {
            findings.add(
                    no(facts, "loopback")
                            ? Finding.ok("network", "a server of this machine was out of reach")
                            : Finding.warn(
                                    "network",
                                    "shared: loopback services, a cloud's metadata address and abstract sockets are in reach",
                                    "Where scripts need no network choose --isolation closed."));
        }
        return findings;
    }

    /// Returns whether the script saw this machine's own file.
    private static boolean ours(Path path, @Nullable Object seen) {
        List<String> here;
        try (Stream<Path> names = Files.isDirectory(path) ? Files.list(path) : Stream.empty()) {
            here = Files.isDirectory(path)
                    ? names.map(name -> String.valueOf(name.getFileName()))
                            .sorted()
                            .toList()
                    : List.of(Files.readString(path));
        } catch (IOException e) {
            return false;
        }
        return !here.isEmpty() && here.equals(seen);
    }

    private static boolean no(Map<String, Object> facts, String name) {
        return Boolean.FALSE.equals(facts.get(name));
    }

    private static Finding of(boolean kept, String topic, String well, String broken) {
        return kept
                ? Finding.ok(topic, well)
                : Finding.fail(topic, broken, "Do not run code there that you do not trust.");
    }

    @Override
    public void close() {
        Stream.concat(planted.keySet().stream(), forbidden.stream()).forEach(file -> {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                // The file belongs to somebody else, probably in /etc, and nothing was created.
            }
        });
        server.ifPresent(listening -> {
            try {
                listening.close();
            } catch (IOException e) {
                // The port closes with this process.
            }
        });
    }
}
