package dev.talaria.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/// The backends on the class path.
public final class Backends {
    private Backends() {}

    /// Returns the backend with this name, if it is there.
    public static Optional<Backend> find(String name) {
        for (Backend found : ServiceLoader.load(Backend.class)) {
            if (found.name().equals(name)) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    /// Returns the names of all backends that are there.
    public static List<String> names() {
        List<String> names = new ArrayList<>();
        ServiceLoader.load(Backend.class).forEach(found -> names.add(found.name()));
        return names;
    }
}
