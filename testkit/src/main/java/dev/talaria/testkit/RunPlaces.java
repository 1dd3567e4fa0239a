package dev.talaria.testkit;

import static dev.talaria.testkit.Behaviour.BASH;
import static dev.talaria.testkit.Behaviour.CLOSED;
import static dev.talaria.testkit.Behaviour.HOST_INTERPRETER;
import static dev.talaria.testkit.Behaviour.HOST_VARIABLES;
import static dev.talaria.testkit.Behaviour.NO_UNIX_SOCKETS;
import static dev.talaria.testkit.Behaviour.OWN_PROCESS_NUMBERS;
import static dev.talaria.testkit.Behaviour.OWN_SOCKET;
import static dev.talaria.testkit.Behaviour.PROCESS_LIMIT;
import static dev.talaria.testkit.Behaviour.PYTHON;
import static dev.talaria.testkit.Behaviour.READ_ONLY_FOLDER;
import static dev.talaria.testkit.Behaviour.SHARES_HOST;
import static dev.talaria.testkit.Behaviour.SHARES_WORKING_FOLDER;
import static dev.talaria.testkit.Behaviour.SLOW_FORKS;
import static dev.talaria.testkit.Behaviour.SOCKET;
import static dev.talaria.testkit.Behaviour.WHOLE_TREE;
import static dev.talaria.testkit.Testbed.value;
import static dev.talaria.testkit.Testbed.whyMissing;

import dev.talaria.engine.config.Transport;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/// Where contracts run, with what each place can do.
public final class RunPlaces {
    /// The contract starts a thousand at once.
    private static final Map<String, String> MANY = Map.of("pids", "4096");

    private RunPlaces() {}

    /// Returns every transport here and one place elsewhere for each backend.
    public static List<RunPlace> oneOfEachKind() {
        return List.of(
                localUds(),
                localStream(),
                localFile(),
                bubblewrapUds(),
                bubblewrapStream(),
                dockerEntered(),
                sshStream());
    }

    public static RunPlace localUds() {
        return RunPlace.of(
                "local",
                Map.of(),
                Transport.UDS,
                SHARES_HOST,
                SHARES_WORKING_FOLDER,
                HOST_VARIABLES,
                HOST_INTERPRETER,
                SOCKET,
                OWN_SOCKET,
                WHOLE_TREE,
                PROCESS_LIMIT,
                BASH,
                PYTHON);
    }

    public static RunPlace localStream() {
        return RunPlace.of(
                "local",
                Map.of(),
                Transport.STREAM,
                SHARES_HOST,
                SHARES_WORKING_FOLDER,
                HOST_VARIABLES,
                HOST_INTERPRETER,
                SOCKET,
                WHOLE_TREE,
                PROCESS_LIMIT,
                BASH,
                PYTHON);
    }

    public static RunPlace localFile() {
        return RunPlace.of(
                "local",
                Map.of(),
                Transport.FILE,
                SHARES_HOST,
                SHARES_WORKING_FOLDER,
                HOST_VARIABLES,
                HOST_INTERPRETER,
                WHOLE_TREE,
                PROCESS_LIMIT,
                BASH,
                PYTHON);
    }

    public static RunPlace bubblewrapUds() {
        return bubblewrap(MANY, Transport.UDS, OWN_SOCKET);
    }

    public static RunPlace bubblewrapStream() {
        return bubblewrap(MANY, Transport.STREAM);
    }

    /// Nothing of the host can be written, not even the working folder, and there is no network.
    public static RunPlace bubblewrapClosed() {
        Map<String, String> options = new HashMap<>(MANY);
        options.put("profile", "closed");
        return bubblewrap(options, Transport.STREAM, READ_ONLY_FOLDER, NO_UNIX_SOCKETS);
    }

    /// With a profile, and with bounds that a test can reach.
    public static RunPlace bubblewrapBounded(String profile) {
        Map<String, String> options =
                Map.of("profile", profile, "memory", "512MiB", "pids", "80", "file-size", "64MiB");
        return profile.equals("closed")
                ? bubblewrap(options, Transport.STREAM)
                : bubblewrap(options, Transport.UDS, OWN_SOCKET);
    }

    private static RunPlace bubblewrap(Map<String, String> options, Transport transport, Behaviour... more) {
        Behaviour[] all = Stream.concat(
                        Stream.of(more),
                        Stream.of(
                                SHARES_WORKING_FOLDER,
                                HOST_VARIABLES,
                                HOST_INTERPRETER,
                                OWN_PROCESS_NUMBERS,
                                SOCKET,
                                WHOLE_TREE,
                                PROCESS_LIMIT,
                                BASH,
                                PYTHON))
                .toArray(Behaviour[]::new);
        return value("BWRAP")
                .map(_ -> RunPlace.of("bubblewrap", options, transport, all))
                .orElseGet(() -> RunPlace.missing("bubblewrap", whyMissing("bwrap")));
    }

    /// A container that Talaria makes.
    public static RunPlace dockerStream() {
        return value("DOCKER_IMAGE")
                .map(image -> made("docker", Map.of("image", image)))
                .orElseGet(() -> RunPlace.missing("docker", whyMissing("docker")));
    }

    /// A container for somebody who is nobody on this machine, with bounds that a test can reach.
    ///
    /// @param runtime the engine's name for what runs it
    public static RunPlace dockerBounded(String runtime, String component) {
        Map<String, String> options = Map.of(
                "runtime", runtime,
                "user", "4242:4242",
                "memory", "512m",
                "pids", "80",
                "ulimits", "[\"fsize=67108864\"]");
        return value("DOCKER_IMAGE")
                .filter(_ ->
                        value(component.toUpperCase(Locale.ROOT) + "_CONTAINER").isPresent())
                .map(image -> {
                    Map<String, String> all = new HashMap<>(options);
                    all.put("image", image);
                    return RunPlace.of(
                            "docker", all, Transport.STREAM, OWN_PROCESS_NUMBERS, SOCKET, WHOLE_TREE, BASH, PYTHON);
                })
                .orElseGet(() -> RunPlace.missing("docker", whyMissing(component)));
    }

    public static RunPlace podmanStream() {
        return value("PODMAN_IMAGE")
                .map(image -> made("podman", Places.podmanOptions(image)))
                .orElseGet(() -> RunPlace.missing("podman", whyMissing("podman")));
    }

    private static RunPlace made(String backend, Map<String, String> options) {
        Map<String, String> roomy = new HashMap<>(options);
        roomy.put("pids", "2000"); // the contract has a script fork more often than the default allows
        return RunPlace.of(
                backend, roomy, Transport.STREAM, OWN_PROCESS_NUMBERS, SOCKET, WHOLE_TREE, PROCESS_LIMIT, BASH, PYTHON);
    }

    /// A container that was there before.
    public static RunPlace dockerEntered() {
        return docker("DOCKER_CONTAINER", "docker", SOCKET, WHOLE_TREE, PROCESS_LIMIT, BASH, PYTHON);
    }

    public static RunPlace dockerFile() {
        return inFiles(dockerStream());
    }

    public static RunPlace podmanFile() {
        return inFiles(podmanStream());
    }

    public static RunPlace gvisorFile() {
        return inFiles(gvisorStream());
    }

    public static RunPlace apptainerFile() {
        return inFiles(apptainerStream());
    }

    public static RunPlace bubblewrapFile() {
        return inFiles(bubblewrapStream());
    }

    public static RunPlace sshFile() {
        return inFiles(sshUserStream());
    }

    /// Returns the same place, where tool calls travel in files: there is no socket.
    private static RunPlace inFiles(RunPlace place) {
        return place.missing().isPresent()
                ? place
                : RunPlace.of(
                        place.backend(),
                        place.options(),
                        Transport.FILE,
                        place.behaviours().stream()
                                .filter(behaviour -> behaviour != SOCKET)
                                .toArray(Behaviour[]::new));
    }

    /// A container whose kernel is gVisor's.
    public static RunPlace gvisorStream() {
        return docker("GVISOR_CONTAINER", "gvisor", SOCKET, WHOLE_TREE, PROCESS_LIMIT, BASH, PYTHON, SLOW_FORKS);
    }

    /// A shell and Python, but no bash.
    public static RunPlace dockerWithoutBash() {
        return docker("SH_CONTAINER", "plain", SOCKET, WHOLE_TREE, PROCESS_LIMIT, PYTHON);
    }

    /// A busybox, and nothing else.
    public static RunPlace dockerBare() {
        return docker("BARE_CONTAINER", "plain");
    }

    private static RunPlace docker(String name, String component, Behaviour... behaviours) {
        return value(name)
                .map(container -> RunPlace.of("docker", Map.of("container", container), Transport.STREAM, behaviours))
                .orElseGet(() -> RunPlace.missing("docker", whyMissing(component)));
    }

    public static RunPlace apptainerStream() {
        return value("APPTAINER")
                .map(_ -> RunPlace.of(
                        "apptainer",
                        Places.apptainerOptions(),
                        Transport.STREAM,
                        OWN_PROCESS_NUMBERS,
                        CLOSED,
                        SOCKET,
                        WHOLE_TREE,
                        PROCESS_LIMIT,
                        BASH,
                        PYTHON))
                .orElseGet(() -> RunPlace.missing("apptainer", whyMissing("apptainer")));
    }

    /// This machine, where no Python is on the PATH.
    public static RunPlace localWithoutPython() {
        return RunPlace.of(
                "local", Map.of(), Transport.STREAM, SHARES_HOST, SHARES_WORKING_FOLDER, HOST_VARIABLES, BASH);
    }

    public static RunPlace sshStream() {
        return ssh("SSH_HOST");
    }

    /// As an ordinary user, whatever user the tests are.
    public static RunPlace sshUserStream() {
        return ssh("SSH_USER_HOST");
    }

    private static RunPlace ssh(String name) {
        return value(name)
                .map(host -> RunPlace.of(
                        "ssh",
                        Map.of("host", host, "config", value("SSH_CONFIG").orElseThrow()),
                        Transport.STREAM,
                        SOCKET,
                        WHOLE_TREE,
                        PROCESS_LIMIT,
                        BASH,
                        PYTHON))
                .orElseGet(() -> RunPlace.missing("ssh", whyMissing("ssh")));
    }
}
