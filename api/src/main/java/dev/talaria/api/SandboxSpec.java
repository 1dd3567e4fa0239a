package dev.talaria.api;

import java.util.Map;
import java.util.Optional;

/// What a sandbox should be like.
///
/// @param cwd working folder inside the sandbox; the backend's own default if absent
/// @param options the backend's own settings, such as `container`, `host` or `prefix`
/// @param environment what commands see that bring no environment of their own, in places that would otherwise show
///     them all of ours; absent means just that
public record SandboxSpec(
        Optional<String> cwd, Map<String, String> options, Optional<Map<String, String>> environment) {
    public SandboxSpec {
        options = Map.copyOf(options);
        environment = environment.map(Map::copyOf);
    }

    public SandboxSpec(Optional<String> cwd, Map<String, String> options) {
        this(cwd, options, Optional.empty());
    }

    public static SandboxSpec empty() {
        return new SandboxSpec(Optional.empty(), Map.of());
    }
}
