package dev.talaria.api;

import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/// The description of a sandbox that a backend opens.
///
/// ```java
/// SandboxSpec spec = new SandboxSpec(Map.of("image", "python:3.13-slim")).in("/work");
/// try (Sandbox sandbox = Backends.find("docker").orElseThrow().open(spec)) {
///     System.out.println(sandbox.name() + " is " + sandbox.isolation());
/// }
/// ```
///
/// @param id the unique id of the sandbox, 12 hex digits. Everything that a backend makes for the sandbox (a
///     container, an instance, a folder elsewhere) is named `talaria-ID`, so that {@link Backend#remove} finds it
/// @param labels the session, the owner and the time of the opening (`talaria.session`, `talaria.owner` and others),
///     for backends that can write labels on what they make
/// @param cwd the working folder inside the sandbox; absent means the backend's own
/// @param options the backend's own settings, such as `container`, `host` or `prefix`
/// @param environment the environment of commands that bring none, in sandboxes that inherit the host's environment;
///     absent means that they inherit it
/// @param host what the sandbox shows and hides of this machine, for backends that follow it
public record SandboxSpec(
        String id,
        Map<String, String> labels,
        Optional<String> cwd,
        Map<String, String> options,
        Optional<Map<String, String>> environment,
        HostView host) {
    public SandboxSpec {
        if (!id.matches("[0-9a-f]{12}")) {
            throw new IllegalArgumentException("A sandbox's id is 12 hex digits, not '" + id + "'.");
        }
        labels = Map.copyOf(labels);
        options = Map.copyOf(options);
        environment = environment.map(Map::copyOf);
    }

    /// Describes a sandbox with a fresh id, no labels and these options.
    public SandboxSpec(Map<String, String> options) {
        this(newId(), Map.of(), Optional.empty(), options, Optional.empty(), HostView.NONE);
    }

    /// Describes a sandbox with a fresh id and the backend's defaults.
    public static SandboxSpec empty() {
        return new SandboxSpec(Map.of());
    }

    /// Returns the same spec with a working folder.
    public SandboxSpec in(String folder) {
        return new SandboxSpec(id, labels, Optional.of(folder), options, environment, host);
    }

    /// Returns the same spec with another view of this machine.
    public SandboxSpec with(HostView view) {
        return new SandboxSpec(id, labels, cwd, options, environment, view);
    }

    /// Returns an id that no other sandbox has.
    public static String newId() {
        byte[] bytes = new byte[6];
        ThreadLocalRandom.current().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /// Returns the name of the container, instance or folder that a backend makes for this sandbox.
    public String outsideName() {
        return "talaria-" + id;
    }
}
