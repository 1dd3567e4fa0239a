package dev.talaria.backends.container;

import dev.talaria.api.HomeFolder;
import dev.talaria.backends.options.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// A folder or file of this machine, or a volume of the engine, mounted in a container.
///
/// @param source an absolute path, or a volume's name
/// @param target the path inside
/// @param options such as `ro`, or nothing
record ContainerMount(String source, String target, String options) {
    private static final Set<String> KNOWN = Set.of("ro", "rw", "z", "Z", "U");

    /// The sockets of engines. A process that can write to one controls this machine.
    private static final List<String> SOCKETS = List.of(
            "/run/docker.sock",
            "/run/podman/podman.sock",
            "/run/containerd/containerd.sock",
            "/run/crio/crio.sock",
            "/run/docker/containerd/containerd.sock");

    /// Folders of the kernel or of an engine.
    private static final List<String> CORE =
            List.of("/proc", "/sys", "/dev", "/var/lib/docker", "/var/lib/containerd", "/var/lib/containers");

    /// Reads `SOURCE:TARGET[:OPTIONS]` or `TARGET`, as the clients do.
    static ContainerMount parse(String written, Options options) {
        String[] parts = written.split(":", -1);
        boolean valid = parts.length <= 3
                && Stream.of(parts).noneMatch(String::isBlank)
                && parts[parts.length == 1 ? 0 : 1].startsWith("/")
                && (parts.length < 3 || KNOWN.containsAll(List.of(parts[2].split(",", -1))));
        if (!valid) {
            throw options.wrong("volumes", "'" + written + "' is not of the form SOURCE:TARGET or SOURCE:TARGET:ro");
        }
        if (parts.length == 1) {
            return new ContainerMount("", parts[0], "");
        }
        String source = hostPath(parts[0])
                ? Path.of(HomeFolder.expand(parts[0]))
                        .toAbsolutePath()
                        .normalize()
                        .toString()
                : parts[0];
        if (source.startsWith("/") && !Files.exists(Path.of(source))) {
            throw options.wrong("volumes", "there is no " + source + " on this machine. Create it first");
        }
        return new ContainerMount(source, parts[1], parts.length == 3 ? parts[2] : "");
    }

    static ContainerMount folder(Path source, String target) {
        return new ContainerMount(source.toString(), target, "");
    }

    private static boolean hostPath(String source) {
        return source.startsWith("/") || source.startsWith("~") || source.startsWith(".");
    }

    boolean ofHost() {
        return source.startsWith("/");
    }

    boolean readOnly() {
        return List.of(options.split(",", -1)).contains("ro");
    }

    /// Returns the client's arguments. The long form takes any path without comma and quote, even one
    /// with colons.
    List<String> arguments() {
        if (!ofHost() || !(options.isEmpty() || options.equals("ro"))) {
            return List.of(
                    "-v",
                    Stream.of(source, target, options)
                            .filter(part -> !part.isEmpty())
                            .reduce((a, b) -> a + ":" + b)
                            .orElseThrow());
        }
        return List.of(
                "--mount",
                "type=bind," + field("source=" + source) + "," + field("target=" + target)
                        + (readOnly() ? ",readonly" : ""));
    }

    private static String field(String text) {
        return text.indexOf(',') < 0 && text.indexOf('"') < 0 ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }

    /// Returns why this may not be mounted: the whole machine depends on it, on something in it, or
    /// on a folder above it.
    Optional<String> danger() {
        if (!ofHost()) {
            return Optional.empty();
        }
        List<Path> names = new ArrayList<>(List.of(Path.of(source)));
        try {
            names.add(Path.of(source).toRealPath());
        } catch (IOException e) {
            // The source has gone, or we may not read it: then only its name is checked.
        }
        for (Path name : names) {
            for (Path socket : sockets()) {
                if (socket.startsWith(name)) {
                    return Optional.of(source + " is or holds a container engine's socket (" + socket
                            + "): whoever reaches it has this whole machine");
                }
            }
            if (name.toString().matches(".*/(?:docker|podman|containerd|crio|buildkitd)\\.sock")) {
                return Optional.of(source + " is a container engine's socket");
            }
            for (String core : CORE) {
                if (name.startsWith(core)) {
                    return Optional.of(source + " is part of " + core + ", which is the system's own");
                }
            }
        }
        return Optional.empty();
    }

    private static List<Path> sockets() {
        List<Path> all = new ArrayList<>();
        for (String socket : SOCKETS) {
            all.add(Path.of(socket));
            all.add(Path.of("/var" + socket));
        }
        Path home = HomeFolder.here();
        Stream.of(home + "/.docker/run/docker.sock", home + "/.docker/desktop/docker.sock")
                .map(Path::of)
                .filter(Files::exists)
                .forEach(all::add);
        Optional.ofNullable(System.getenv("XDG_RUNTIME_DIR"))
                .filter(folder -> folder.startsWith("/"))
                .ifPresent(folder ->
                        all.addAll(List.of(Path.of(folder, "docker.sock"), Path.of(folder, "podman/podman.sock"))));
        for (String variable : List.of("DOCKER_HOST", "CONTAINER_HOST")) {
            Optional.ofNullable(System.getenv(variable))
                    .filter(address -> address.startsWith("unix:///"))
                    .ifPresent(address -> all.add(Path.of(address.substring("unix://".length()))));
        }
        return all;
    }
}
