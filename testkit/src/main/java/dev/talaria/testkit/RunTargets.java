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

/// Where contracts run, with what each target can do.
public final class RunTargets {
    /// The contract starts a thousand at once.
    private static final Map<String, String> MANY = Map.of("pids", "4096");

    private RunTargets() {}

    /// Returns every transport here and one target elsewhere for each backend.
    public static List<RunTarget> oneOfEachKind() {
        return List.of(
                localUds(),
                localStream(),
                localFile(),
                bubblewrapUds(),
                bubblewrapStream(),
                dockerEntered(),
                sshStream());
    }

    public static RunTarget localUds() {
        return RunTarget.of(
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

    public static RunTarget localStream() {
        return RunTarget.of(
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

    public static RunTarget localFile() {
        return RunTarget.of(
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

    public static RunTarget bubblewrapUds() {
        return bubblewrap(MANY, Transport.UDS, OWN_SOCKET);
    }

    public static RunTarget bubblewrapStream() {
        return bubblewrap(MANY, Transport.STREAM);
    }

    /// Nothing of the host can be written, not even the working folder, and there is no network.
    public static RunTarget bubblewrapClosed() {
        Map<String, String> options = new HashMap<>(MANY);
        options.put("profile", "closed");
        return bubblewrap(options, Transport.STREAM, READ_ONLY_FOLDER, NO_UNIX_SOCKETS);
    }

    /// With a profile, and with bounds that a test can reach.
    public static RunTarget bubblewrapBounded(String profile) {
        Map<String, String> options =
                Map.of("profile", profile, "memory", "512MiB", "pids", "80", "file-size", "64MiB");
        return profile.equals("closed")
                ? bubblewrap(options, Transport.STREAM)
                : bubblewrap(options, Transport.UDS, OWN_SOCKET);
    }

    private static RunTarget bubblewrap(Map<String, String> options, Transport transport, Behaviour... more) {
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
                .map(_ -> RunTarget.of("bubblewrap", options, transport, all))
                .orElseGet(() -> RunTarget.missing("bubblewrap", whyMissing("bwrap")));
    }

    /// A container that Talaria makes.
    public static RunTarget dockerStream() {
        return value("DOCKER_IMAGE")
                .map(image -> made("docker", Map.of("image", image)))
                .orElseGet(() -> RunTarget.missing("docker", whyMissing("docker")));
    }

    /// A container whose user does not exist on this machine, with limits that a test can reach.
    ///
    /// @param runtime the engine's name of the runtime
    public static RunTarget dockerBounded(String runtime, String component) {
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
                    return RunTarget.of(
                            "docker", all, Transport.STREAM, OWN_PROCESS_NUMBERS, SOCKET, WHOLE_TREE, BASH, PYTHON);
                })
                .orElseGet(() -> RunTarget.missing("docker", whyMissing(component)));
    }

    public static RunTarget podmanStream() {
        return value("PODMAN_IMAGE")
                .map(image -> made("podman", TestSandboxes.podmanOptions(image)))
                .orElseGet(() -> RunTarget.missing("podman", whyMissing("podman")));
    }

    private static RunTarget made(String backend, Map<String, String> options) {
        Map<String, String> roomy = new HashMap<>(options);
        roomy.put("pids", "2000"); // the contract's scripts fork more often than the default allows
        return RunTarget.of(
                backend, roomy, Transport.STREAM, OWN_PROCESS_NUMBERS, SOCKET, WHOLE_TREE, PROCESS_LIMIT, BASH, PYTHON);
    }

    /// A container that existed before.
    public static RunTarget dockerEntered() {
        return docker("DOCKER_CONTAINER", "docker", SOCKET, WHOLE_TREE, PROCESS_LIMIT, BASH, PYTHON);
    }

    public static RunTarget dockerFile() {
        return inFiles(dockerStream());
    }

    public static RunTarget podmanFile() {
        return inFiles(podmanStream());
    }

    public static RunTarget gvisorFile() {
        return inFiles(gvisorStream());
    }

    public static RunTarget apptainerFile() {
        return inFiles(apptainerStream());
    }

    public static RunTarget bubblewrapFile() {
        return inFiles(bubblewrapStream());
    }

    public static RunTarget sshFile() {
        return inFiles(sshUserStream());
    }

    /// Returns the same target, where tool calls travel in files: there is no socket.
    private static RunTarget inFiles(RunTarget target) {
        return target.missing().isPresent()
                ? target
                : RunTarget.of(
                        target.backend(),
                        target.options(),
                        Transport.FILE,
                        target.behaviours().stream()
                                .filter(behaviour -> behaviour != SOCKET)
                                .toArray(Behaviour[]::new));
    }

    /// A container whose kernel is gVisor's.
    public static RunTarget gvisorStream() {
        return docker("GVISOR_CONTAINER", "gvisor", SOCKET, WHOLE_TREE, PROCESS_LIMIT, BASH, PYTHON, SLOW_FORKS);
    }

    /// A shell and Python, but no bash.
    public static RunTarget dockerWithoutBash() {
        return docker("SH_CONTAINER", "plain", SOCKET, WHOLE_TREE, PROCESS_LIMIT, PYTHON);
    }

    /// A busybox, and nothing else.
    public static RunTarget dockerBare() {
        return docker("BARE_CONTAINER", "plain");
    }

    private static RunTarget docker(String name, String component, Behaviour... behaviours) {
        return value(name)
                .map(container -> RunTarget.of("docker", Map.of("container", container), Transport.STREAM, behaviours))
                .orElseGet(() -> RunTarget.missing("docker", whyMissing(component)));
    }

    public static RunTarget apptainerStream() {
        return value("APPTAINER")
                .map(_ -> RunTarget.of(
                        "apptainer",
                        TestSandboxes.apptainerOptions(),
                        Transport.STREAM,
                        OWN_PROCESS_NUMBERS,
                        CLOSED,
                        SOCKET,
                        WHOLE_TREE,
                        PROCESS_LIMIT,
                        BASH,
                        PYTHON))
                .orElseGet(() -> RunTarget.missing("apptainer", whyMissing("apptainer")));
    }

    /// This machine, where no Python is on the PATH.
    public static RunTarget localWithoutPython() {
        return RunTarget.of(
                "local", Map.of(), Transport.STREAM, SHARES_HOST, SHARES_WORKING_FOLDER, HOST_VARIABLES, BASH);
    }

    public static RunTarget sshStream() {
        return ssh("SSH_HOST");
    }

    /// As an ordinary user, whoever runs the tests.
    public static RunTarget sshUserStream() {
        return ssh("SSH_USER_HOST");
    }

    private static RunTarget ssh(String name) {
        return value(name)
                .map(host -> RunTarget.of(
                        "ssh",
                        Map.of("host", host, "config", value("SSH_CONFIG").orElseThrow()),
                        Transport.STREAM,
                        SOCKET,
                        WHOLE_TREE,
                        PROCESS_LIMIT,
                        BASH,
                        PYTHON))
                .orElseGet(() -> RunTarget.missing("ssh", whyMissing("ssh")));
    }
}
