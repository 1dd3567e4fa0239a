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

    /// Returns an override that chooses another image.
    public static SessionOverride image(String image) {
        return NONE.withOption("image", image);
    }

    /// Returns an override that chooses another working folder.
    public static SessionOverride cwd(String folder) {
        return NONE.withCwd(folder);
    }

    /// Returns the same override with another backend.
    public SessionOverride withBackend(String name) {
        return new SessionOverride(Optional.of(name), cwd, options);
    }

    /// Returns the same override with another working folder.
    public SessionOverride withCwd(String folder) {
        return new SessionOverride(backend, Optional.of(folder), options);
    }

    /// Returns the same override with one more setting of the backend.
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
