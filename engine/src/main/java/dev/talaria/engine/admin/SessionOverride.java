package dev.talaria.engine.admin;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// What one session's sandbox has different from all others'.
///
/// @param backend another backend than the engine's
/// @param cwd another working folder
/// @param options further settings of the backend, such as `image`, or others than the engine's
public record SessionOverride(Optional<String> backend, Optional<String> cwd, Map<String, String> options) {
    public static final SessionOverride NONE = new SessionOverride(Optional.empty(), Optional.empty(), Map.of());

    public SessionOverride {
        options = Map.copyOf(options);
    }

    public static SessionOverride image(String image) {
        return NONE.withOption("image", image);
    }

    public static SessionOverride cwd(String folder) {
        return NONE.withCwd(folder);
    }

    public SessionOverride withBackend(String name) {
        return new SessionOverride(Optional.of(name), cwd, options);
    }

    public SessionOverride withCwd(String folder) {
        return new SessionOverride(backend, Optional.of(folder), options);
    }

    public SessionOverride withOption(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(options);
        more.put(name, value);
        return new SessionOverride(backend, cwd, more);
    }

    /// Returns whether such a session cannot share a sandbox with others. Another folder alone is no reason.
    public boolean isolates() {
        return backend.isPresent() || !options.isEmpty();
    }
}
