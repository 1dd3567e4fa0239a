package dev.talaria.api;

import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/// What a sandbox should be like.
///
/// @param id names this sandbox and no other, in 12 hex digits. Whatever a backend makes outside (a container, an
///     instance, a folder elsewhere) is named `talaria-ID`, so that {@link Backend#remove} finds it
/// @param labels whose it is: `talaria.session`, `talaria.owner` and the like, for backends that can write them on what
///     they make
/// @param cwd working folder inside the sandbox; the backend's own default if absent
/// @param options the backend's own settings, such as `container`, `host` or `prefix`
/// @param environment what commands see that bring no environment of their own, in places that would otherwise show
///     them all of ours; absent means just that
/// @param host what of this machine is shown or hidden, for backends that can do that
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

    /// Asks for a sandbox with a fresh id, no labels and these options.
    public SandboxSpec(Map<String, String> options) {
        this(newId(), Map.of(), Optional.empty(), options, Optional.empty(), HostView.NONE);
    }

    /// Asks for a sandbox in which nothing is chosen.
    public static SandboxSpec empty() {
        return new SandboxSpec(Map.of());
    }

    /// Returns the same spec with a working folder.
    public SandboxSpec in(String folder) {
        return new SandboxSpec(id, labels, Optional.of(folder), options, environment, host);
    }

    /// Returns the same spec with what it shows and hides of this machine.
    public SandboxSpec with(HostView view) {
        return new SandboxSpec(id, labels, cwd, options, environment, view);
    }

    /// Returns an id that no other sandbox has.
    public static String newId() {
        byte[] bytes = new byte[6];
        ThreadLocalRandom.current().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /// Returns the name of whatever a backend makes outside for it.
    public String outsideName() {
        return "talaria-" + id;
    }
}
