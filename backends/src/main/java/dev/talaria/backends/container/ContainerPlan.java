package dev.talaria.backends.container;

import dev.talaria.api.SandboxSpec;
import dev.talaria.backends.options.Options;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The settings of a container that is to be made: everything that goes to the client, from a closed
/// list.
///
/// @param network `none`, the name of a network, or nothing for the engine's own
/// @param variables variables of commands; values go to the client by its environment, never by argv
/// @param dangers what the options give away; only with option `unsafe`
record ContainerPlan(
        ContainerKind kind,
        String name,
        Map<String, String> labels,
        String image,
        ContainerUser user,
        ContainerLimits limits,
        ContainerFolders folders,
        ContainerArguments extra,
        Optional<String> network,
        Optional<String> runtime,
        boolean readOnly,
        Map<String, String> variables,
        List<String> dangers) {
    static final String[] OPTIONS = {
        "container",
        "binary",
        "image",
        "user",
        "network",
        "memory",
        "cpus",
        "pids",
        "shm-size",
        "disk",
        "read-only",
        "volumes",
        "mount-cwd",
        "persistent",
        "sandbox-dir",
        "env",
        "forward-env",
        "runtime",
        "ulimits",
        "extra-args",
        "pull-timeout",
        "unsafe"
    };

    /// The image of the system that we follow: Python and Node.
    private static final String IMAGE = "nikolaik/python-nodejs:python3.11-nodejs20";

    static ContainerPlan of(ContainerKind kind, Options options, SandboxSpec spec, ContainerUser user) {
        boolean unsafe = options.isTrue("unsafe", false);
        ContainerArguments extra = ContainerArguments.of(options, unsafe);
        ContainerFolders folders = ContainerFolders.of(kind, options, spec, user, extra.volumes(), unsafe);
        List<String> dangers = new ArrayList<>(extra.dangers());
        dangers.addAll(folders.dangers());
        Optional<String> network = network(options, unsafe, dangers);
        Map<String, String> labels = new TreeMap<>(spec.labels());
        labels.put("talaria", "1");
        return new ContainerPlan(
                kind,
                spec.outsideName(),
                labels,
                name(options, "image").orElse(IMAGE),
                user,
                ContainerLimits.of(options),
                folders,
                extra,
                network,
                name(options, "runtime"),
                options.isTrue("read-only", false),
                variables(options),
                List.copyOf(dangers));
    }

    private static Optional<String> name(Options options, String option) {
        return options.find(option).map(_ -> options.requireName(option, "a name"));
    }

    private static Optional<String> network(Options options, boolean unsafe, List<String> dangers) {
        String wanted = options.find("network").orElse("none");
        if (wanted.equals("host") || wanted.startsWith("container:") || wanted.startsWith("ns:")) {
            String danger = "network " + wanted + " (what listens there, this machine's own services included)";
            if (!unsafe) {
                throw options.wrong(
                        "network",
                        "'" + wanted
                                + "' gives the container another's network, local services included. Use true for a"
                                + " network of its own; option unsafe=true allows it, and says so");
            }
            dangers.add(danger);
        }
        return switch (wanted) {
            case "false", "none" -> Optional.of("none");
            case "true" -> Optional.empty();
            default -> {
                if (!wanted.matches("[A-Za-z0-9][A-Za-z0-9_.:-]*")) {
                    throw options.wrong(
                            "network", "'" + wanted + "' is no network. Use true, false or a network's name");
                }
                yield Optional.of(wanted);
            }
        };
    }

    private static Map<String, String> variables(Options options) {
        Map<String, String> all = new LinkedHashMap<>();
        for (String name : options.list("forward-env")) {
            Optional.ofNullable(System.getenv(checked(options, "forward-env", name)))
                    .ifPresent(value -> all.put(name, value));
        }
        options.map("env").forEach((name, value) -> all.put(checked(options, "env", name), value));
        return all;
    }

    /// Refuses names of variables that the client itself uses: it gets the values in its environment.
    private static String checked(Options options, String option, String name) {
        if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
            throw options.wrong(option, "'" + name + "' is no name of a variable");
        }
        if (name.matches("PATH|HOME|TMPDIR|(?:DOCKER|CONTAINERS?|PODMAN|XDG|LD|GO|BUILDKIT)_.*")) {
            throw options.wrong(
                    option, name + " would change what the client does, and is not passed on. Set it in the image");
        }
        return name;
    }

    boolean reaches() {
        return folders.reaches() || !dangers.isEmpty();
    }

    /// Returns the client's words up to the name of the waiting program inside.
    ///
    /// @param limited whether to ask for the limits that some engines cannot enforce
    /// @param sized whether to ask for a limit of the container's own disk
    List<String> run(boolean limited, boolean sized, boolean keepId) {
        List<String> words = new ArrayList<>(List.of("run", "-d", "--pull", "never", "--name", name));
        labels.forEach((label, value) -> words.addAll(List.of("--label", label + "=" + value)));
        words.addAll(List.of("--cap-drop", "ALL"));
        capabilities().forEach(capability -> words.addAll(List.of("--cap-add", capability)));
        words.addAll(List.of("--security-opt", "no-new-privileges", "--init", "--ipc", "private"));
        words.addAll(List.of("--user", user.toString(), "-e", "HOME=" + user.home(), "-w", ContainerFolders.WORKSPACE));
        if (keepId) {
            words.addAll(List.of("--userns", "keep-id"));
        }
        if (limited) {
            words.addAll(limits.arguments());
        }
        if (sized) {
            limits.disk().ifPresent(bytes -> words.addAll(List.of("--storage-opt", "size=" + bytes)));
        }
        words.addAll(List.of("--shm-size", limits.shm() + "b"));
        tmpfs().forEach((folder, how) -> words.addAll(List.of("--tmpfs", folder + ":" + how)));
        folders.mounts().forEach(mount -> words.addAll(mount.arguments()));
        network.ifPresent(wanted -> words.addAll(List.of("--network", wanted)));
        runtime.ifPresent(wanted -> words.addAll(List.of("--runtime", wanted)));
        limits.ulimits().forEach(limit -> words.addAll(List.of("--ulimit", limit)));
        if (readOnly) {
            words.add("--read-only");
        }
        variables.keySet().forEach(variable -> words.addAll(List.of("-e", variable)));
        words.addAll(extra.passed());
        // The image's own program is not used: it may end at once, or do something unwanted.
        words.addAll(List.of("--entrypoint", "sleep", image, "2147483647"));
        return words;
    }

    List<String> capabilities() {
        List<String> all = new ArrayList<>(user.capabilities());
        extra.capabilities().stream().filter(one -> !all.contains(one)).forEach(all::add);
        return all;
    }

    Map<String, String> tmpfs() {
        Map<String, String> all = new LinkedHashMap<>();
        String copy = kind == ContainerKind.PODMAN ? ",notmpcopyup" : "";
        all.put("/tmp", "rw,exec,nosuid,nodev,size=512m,mode=1777" + copy);
        all.put("/var/tmp", "rw,noexec,nosuid,nodev,size=256m,mode=1777" + copy);
        all.put("/run", "rw,noexec,nosuid,nodev,size=64m,mode=0755" + copy);
        for (String folder : folders.scratch()) {
            boolean home = folder.equals(user.home());
            all.put(
                    folder,
                    "rw,exec,nosuid,nodev,size=" + (home ? "1g" : "" + limits.workspace()) + ","
                            + kind.tmpfsOf(user, home ? "0700" : "0755"));
        }
        return all;
    }

    /// Returns the environment of the client: ours, with the values that it passes on.
    Map<String, String> clientEnvironment() {
        Map<String, String> all = new LinkedHashMap<>(System.getenv());
        all.putAll(variables);
        return all;
    }
}
