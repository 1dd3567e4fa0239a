package dev.talaria.backends.container;

import dev.talaria.backends.options.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Compares a container with its plan, as its engine shows it: engines drop settings that they do not
/// know or cannot apply, without failing.
final class ContainerCheck {
    private final ContainerPlan plan;
    private final Map<?, ?> container;
    private final Map<?, ?> host;
    private final List<String> broken = new ArrayList<>();
    private final List<String> unlimited = new ArrayList<>();

    private ContainerCheck(ContainerPlan plan, Map<?, ?> container) {
        this.plan = plan;
        this.container = container;
        this.host = map(container.get("HostConfig"));
    }

    /// The differences.
    ///
    /// @param broken settings that isolate the container, or that make it another one than was asked
    ///     for
    /// @param unlimited limits that the engine does not enforce
    record Differences(List<String> broken, List<String> unlimited) {}

    /// Compares a container with its plan.
    ///
    /// @param inspected the output of the client's `inspect`
    /// @param limited whether limits were asked for
    static Differences of(ContainerPlan plan, String inspected, boolean limited) {
        Object parsed;
        try {
            parsed = JsonText.parse(inspected);
        } catch (IllegalArgumentException e) {
            return new Differences(List.of("the engine does not show it (" + e.getMessage() + ")"), List.of());
        }
        Map<?, ?> container = parsed instanceof List<?> all && all.size() == 1 ? map(all.getFirst()) : Map.of();
        ContainerCheck check = new ContainerCheck(plan, container);
        check.rights();
        check.names();
        check.folders();
        if (limited) {
            check.limits();
        }
        return new Differences(List.copyOf(check.broken), List.copyOf(check.unlimited));
    }

    private void rights() {
        same("privileged", host.get("Privileged"), false);
        Set<String> wanted = new TreeSet<>(plan.capabilities());
        if (plan.kind() == ContainerKind.PODMAN) { // it shows as added only those beyond its defaults
            same("capabilities", names(container.get("BoundingCaps")), wanted);
        } else {
            same("capabilities", names(host.get("CapAdd")), wanted);
            same("dropped capabilities", names(host.get("CapDrop")), Set.of("ALL"));
        }
        List<String> security = texts(host.get("SecurityOpt"));
        if (security.stream().noneMatch(option -> option.matches("no-new-privileges([:=]true)?"))) {
            broken.add("no-new-privileges is not set");
        }
        if (security.stream().anyMatch(option -> option.contains("unconfined"))) {
            broken.add("security options are " + security);
        }
        for (String namespace : List.of("PidMode", "IpcMode", "UTSMode", "UsernsMode", "NetworkMode")) {
            String mode = text(host.get(namespace));
            if (mode.equals("host") || mode.startsWith("container:")) {
                broken.add(namespace + " is " + mode);
            }
        }
        if (!texts(host.get("Devices")).isEmpty()) {
            broken.add("it has devices");
        }
        same("init", host.get("Init"), true);
        same("read-only root", host.get("ReadonlyRootfs"), plan.readOnly());
        plan.network().ifPresent(network -> same("network", text(host.get("NetworkMode")), network));
    }

    private void names() {
        Map<?, ?> config = map(container.get("Config"));
        same("user", text(config.get("User")), plan.user().toString());
        same("working folder", text(config.get("WorkingDir")), ContainerFolders.WORKSPACE);
        Map<?, ?> labels = map(config.get("Labels"));
        plan.labels().forEach((label, value) -> same("label " + label, labels.get(label), value));
        String runtime =
                plan.kind() == ContainerKind.DOCKER ? text(host.get("Runtime")) : text(container.get("OCIRuntime"));
        plan.runtime().ifPresent(wanted -> same("runtime", runtime, wanted));
    }

    private void folders() {
        Set<String> tmpfs =
                map(host.get("Tmpfs")).keySet().stream().map(String::valueOf).collect(Collectors.toSet());
        if (!tmpfs.containsAll(plan.tmpfs().keySet())) {
            broken.add("tmpfs are " + new TreeSet<>(tmpfs) + " instead of "
                    + plan.tmpfs().keySet());
        }
        Set<String> asked = plan.folders().mounts().stream()
                .filter(ContainerMount::ofHost)
                .map(mount -> mount.source() + " at " + mount.target() + (mount.readOnly() ? " read-only" : ""))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> there = list(container.get("Mounts")).stream()
                .map(ContainerCheck::map)
                .filter(mount -> "bind".equals(mount.get("Type")))
                .map(mount -> mount.get("Source") + " at " + mount.get("Destination")
                        + (Boolean.FALSE.equals(mount.get("RW")) ? " read-only" : ""))
                .collect(Collectors.toCollection(TreeSet::new));
        same("folders of this machine", there, asked);
    }

    private void limits() {
        ContainerLimits limits = plan.limits();
        limit("memory", host.get("Memory"), limits.memory());
        limit("memory with swap", host.get("MemorySwap"), limits.memory());
        limit("cpus (in billionths)", host.get("NanoCpus"), limits.nanoCpus());
        limit("processes", host.get("PidsLimit"), limits.pids());
        limit("/dev/shm", host.get("ShmSize"), limits.shm());
    }

    private void limit(String what, @Nullable Object found, long asked) {
        if (!(found instanceof Double number) || number.longValue() != asked) {
            unlimited.add(what + ": " + (found instanceof Double number ? number.longValue() : "none") + " instead of "
                    + asked);
        }
    }

    private void same(String what, @Nullable Object found, Object asked) {
        if (!asked.equals(found)) {
            broken.add(what + " is " + (found == null || found instanceof JsonText.Nothing ? "not set" : found)
                    + " instead of " + asked);
        }
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> members ? members : Map.of();
    }

    private static List<?> list(@Nullable Object value) {
        return value instanceof List<?> items ? items : List.of();
    }

    private static List<String> texts(@Nullable Object value) {
        return list(value).stream().map(String::valueOf).toList();
    }

    private static Set<String> names(@Nullable Object value) {
        return texts(value).stream().map(ContainerArguments::plain).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String text(@Nullable Object value) {
        return value instanceof String text ? text : "";
    }
}
