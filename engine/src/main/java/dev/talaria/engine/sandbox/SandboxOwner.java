package dev.talaria.engine.sandbox;

import dev.talaria.engine.util.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The Talaria that a sandbox belongs to.
///
/// @param process the process of that Talaria
/// @param boot the id of the machine's current boot
/// @param host the name of the machine
/// @param namespace the namespace in which the process has its id: a container has its own
public record SandboxOwner(Identity process, String boot, String host, String namespace) {

    static SandboxOwner ofThisProcess() {
        return new SandboxOwner(
                Identity.ofThisProcess(),
                line("/proc/sys/kernel/random/boot_id").orElse("?"),
                line("/etc/machine-id")
                        .or(() -> line("/proc/sys/kernel/hostname"))
                        .orElse("?"),
                processNumbers());
    }

    /// Returns an owner that has ended, so that the next sweep removes the sandbox.
    SandboxOwner gone() {
        return new SandboxOwner(Identity.NOBODY, boot, host, namespace);
    }

    /// Returns whether the owner has certainly ended. That is unknown for an owner on another machine or in
    /// another process namespace.
    boolean hasEnded(SandboxOwner us) {
        if (!host.equals(us.host)) {
            return false;
        }
        return process.equals(Identity.NOBODY)
                || !boot.equals(us.boot)
                || (namespace.equals(us.namespace) && !process.alive());
    }

    /// Returns the owner as one word, for a label.
    String label() {
        return process.pid() + "-" + process.start() + "-" + boot;
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("pid", process.pid());
        json.put("start", process.start());
        json.put("boot", boot);
        json.put("host", host);
        json.put("namespace", namespace);
        return json;
    }

    static SandboxOwner of(Map<?, ?> json) {
        return new SandboxOwner(
                Identity.of(json, "pid", "start").orElseThrow(),
                String.valueOf(json.get("boot")),
                String.valueOf(json.get("host")),
                String.valueOf(json.get("namespace")));
    }

    private static Optional<String> line(String file) {
        try {
            return Files.readString(Path.of(file)).lines().findFirst().filter(text -> !text.isBlank());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static String processNumbers() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
        } catch (IOException e) {
            return "?";
        }
    }
}
