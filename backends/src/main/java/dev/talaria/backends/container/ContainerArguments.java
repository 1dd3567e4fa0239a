package dev.talaria.backends.container;

import dev.talaria.backends.options.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Further arguments for the client's `run`, from a closed list: an unknown argument could undo every
/// other.
///
/// @param passed the arguments for the client
/// @param volumes the mounts among them, to be judged later
/// @param capabilities the harmless capabilities that were asked for
/// @param dangers what each of the other arguments gives away; only with option `unsafe`
record ContainerArguments(List<String> passed, List<String> volumes, List<String> capabilities, List<String> dangers) {

    /// Arguments with a value that can damage nothing outside.
    private static final Set<String> WITH_VALUE = Set.of(
            "--add-host",
            "--cpu-shares",
            "--cpuset-cpus",
            "--dns",
            "--dns-option",
            "--dns-search",
            "--domainname",
            "--group-add",
            "--hostname",
            "--label",
            "--mac-address",
            "--memory-reservation",
            "--platform",
            "--stop-signal",
            "--tmpfs",
            "--ulimit");

    private static final Map<String, String> SHORT = Map.of(
            "-h", "--hostname",
            "-l", "--label",
            "-v", "--volume",
            "-u", "--user",
            "-m", "--memory",
            "-c", "--cpu-shares",
            "-e", "--env",
            "-w", "--workdir",
            "--net", "--network");

    /// Arguments with an option of their own, which must be used instead.
    private static final Map<String, String> ELSEWHERE = Map.ofEntries(
            Map.entry("--network", "network"),
            Map.entry("--user", "user"),
            Map.entry("--memory", "memory"),
            Map.entry("--memory-swap", "memory"),
            Map.entry("--cpus", "cpus"),
            Map.entry("--pids-limit", "pids"),
            Map.entry("--shm-size", "shm-size"),
            Map.entry("--storage-opt", "disk"),
            Map.entry("--read-only", "read-only"),
            Map.entry("--runtime", "runtime"),
            Map.entry("--env", "env"),
            Map.entry("--env-file", "env"),
            Map.entry("--mount", "volumes"));

    private static final Map<String, String> DANGERS = Map.ofEntries(
            Map.entry("--privileged", "all rights of this machine's root"),
            Map.entry("--pid", "another's processes"),
            Map.entry("--ipc", "another's shared memory"),
            Map.entry("--uts", "another's host name"),
            Map.entry("--userns", "other users than the engine's rule"),
            Map.entry("--cgroupns", "this machine's control groups"),
            Map.entry("--cgroup-parent", "other control groups"),
            Map.entry("--device", "a device of this machine"),
            Map.entry("--device-cgroup-rule", "devices of this machine"),
            Map.entry("--gpus", "devices of this machine"),
            Map.entry("--cap-add", "a capability beyond what apt needs"),
            Map.entry("--security-opt", "another security profile"),
            Map.entry("--volumes-from", "the folders of another container"),
            Map.entry("--sysctl", "settings of the kernel"),
            Map.entry("--oom-kill-disable", "memory without limit"));

    /// Reads the option `extra-args`.
    ///
    /// @throws dev.talaria.api.SandboxException if an argument is not in the list and `unsafe` is not
    ///     set
    static ContainerArguments of(Options options, boolean unsafe) {
        List<String> words = options.list("extra-args");
        List<String> passed = new ArrayList<>();
        List<String> volumes = new ArrayList<>();
        List<String> capabilities = new ArrayList<>();
        List<String> dangers = new ArrayList<>();
        for (int at = 0; at < words.size(); at++) {
            String word = words.get(at);
            if (!word.startsWith("-")) {
                throw options.wrong("extra-args", "'" + word + "' belongs to no argument before it");
            }
            int equals = word.indexOf('=');
            String written = equals < 0 ? word : word.substring(0, equals);
            String name = SHORT.getOrDefault(written, written);
            if (ELSEWHERE.containsKey(name)) {
                throw options.wrong(
                        "extra-args", written + " is set by option " + ELSEWHERE.get(name) + ", and only there");
            }
            Optional<String> value = equals >= 0 ? Optional.of(word.substring(equals + 1)) : Optional.empty();
            boolean valued = WITH_VALUE.contains(name) || name.equals("--volume") || DANGERS.containsKey(name);
            boolean flag = name.equals("--privileged") || name.equals("--oom-kill-disable");
            boolean follows = value.isEmpty()
                    && at + 1 < words.size()
                    && !words.get(at + 1).startsWith("-");
            if (value.isEmpty() && !flag && (follows || valued)) {
                if (at + 1 >= words.size()) {
                    throw options.wrong("extra-args", word + " needs a value");
                }
                value = Optional.of(words.get(++at));
            }
            String given = value.orElse("");
            if (name.equals("--volume")) {
                volumes.add(given);
            } else if (name.equals("--cap-add") && ContainerUser.harmless(plain(given))) {
                capabilities.add(plain(given));
            } else if (!setAnyway(name, given)) {
                if (!WITH_VALUE.contains(name)) {
                    dangers.add(danger(options, written, name, given, unsafe));
                }
                passed.add(value.isPresent() ? name + "=" + given : name);
            }
        }
        return new ContainerArguments(
                List.copyOf(passed), List.copyOf(volumes), List.copyOf(capabilities), List.copyOf(dangers));
    }

    private static boolean setAnyway(String name, String given) {
        return name.equals("--cap-drop") || (name.equals("--security-opt") && given.startsWith("no-new-privileges"));
    }

    private static String danger(Options options, String written, String name, String given, boolean unsafe) {
        String what = written + (given.isEmpty() ? "" : " " + given);
        String known = DANGERS.get(name);
        if (unsafe) {
            return what + (known == null ? "" : " (" + known + ")");
        }
        throw options.wrong(
                "extra-args",
                known == null
                        ? written + " is not among those that are known to be harmless: "
                                + String.join(" ", new TreeSet<>(WITH_VALUE))
                                + ". Option unsafe=true passes on any, and says so"
                        : what + " gives the container " + known
                                + ". Leave it out; option unsafe=true passes it on, and says so");
    }

    static String plain(String capability) {
        return capability.startsWith("CAP_") ? capability.substring(4) : capability;
    }
}
