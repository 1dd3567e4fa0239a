package dev.talaria.engine.admin;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The settings of one session's sandbox that differ from the engine's.
///
/// ```java
/// engine.override("tests", SessionOverride.image("python:3.13-slim").withCwd("/work"));
/// ```
///
/// @param backend another backend than the engine's; absent means the engine's
/// @param cwd another working folder; absent means the engine's
/// @param options settings of the backend, such as `image`, added to the engine's or instead of them
public record SessionOverride(Optional<String> backend, Optional<String> cwd, Map<String, String> options) {
    /// An override that changes nothing.
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

    /// Returns whether a session with this override needs a sandbox of its own. Another folder alone does not
    /// need one.
    public boolean isolates() {
        return backend.isPresent() || !options.isEmpty();
    }
}
