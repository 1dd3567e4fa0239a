package dev.talaria.api;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/// Finds the backends on the class path.
///
/// ```java
/// Backend docker = Backends.find("docker")
///         .orElseThrow(() -> new IllegalStateException("Choose one of " + Backends.names()));
/// ```
public final class Backends {
    private Backends() {}

    /// Returns the backend with this name; empty if there is none.
    public static Optional<Backend> find(String name) {
        return all().filter(backend -> backend.name().equals(name)).findFirst();
    }

    /// Returns the names of all backends.
    public static List<String> names() {
        return all().map(Backend::name).toList();
    }

    private static Stream<Backend> all() {
        return ServiceLoader.load(Backend.class).stream().map(ServiceLoader.Provider::get);
    }
}
