package dev.talaria.engine.sandbox;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// What one task's sandbox has different from all others'.
///
/// @param backend another backend than the engine's
/// @param cwd another working folder
/// @param options further settings of the backend, such as `image`, or others than the engine's
public record TaskOverride(Optional<String> backend, Optional<String> cwd, Map<String, String> options) {
    public static final TaskOverride NONE = new TaskOverride(Optional.empty(), Optional.empty(), Map.of());

    public TaskOverride {
        options = Map.copyOf(options);
    }

    public static TaskOverride image(String image) {
        return NONE.withOption("image", image);
    }

    public static TaskOverride cwd(String folder) {
        return NONE.withCwd(folder);
    }

    public TaskOverride withBackend(String name) {
        return new TaskOverride(Optional.of(name), cwd, options);
    }

    public TaskOverride withCwd(String folder) {
        return new TaskOverride(backend, Optional.of(folder), options);
    }

    public TaskOverride withOption(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(options);
        more.put(name, value);
        return new TaskOverride(backend, cwd, more);
    }

    /// Returns whether such a task cannot share a sandbox with others. Another folder alone is no reason.
    boolean isolates() {
        return backend.isPresent() || !options.isEmpty();
    }
}
