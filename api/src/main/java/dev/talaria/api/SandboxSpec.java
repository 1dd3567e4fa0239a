package dev.talaria.api;

import java.util.Map;
import java.util.Optional;

/// What a sandbox should be like.
///
/// @param cwd working folder inside the sandbox; the backend's own default if absent
/// @param options the backend's own settings, such as `container`, `host` or `prefix`
public record SandboxSpec(Optional<String> cwd, Map<String, String> options) {
    public SandboxSpec {
        options = Map.copyOf(options);
    }

    public static SandboxSpec empty() {
        return new SandboxSpec(Optional.empty(), Map.of());
    }
}
