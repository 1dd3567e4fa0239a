package dev.talaria.testkit;

import dev.talaria.api.Backend;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.config.Transport;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;

/// The target of a contract's runs, with the transport of their tool calls.
///
/// @param backend the name of the backend
/// @param options that backend's own settings
/// @param transport how tool calls travel
/// @param behaviours what the target can do
/// @param missing why the target cannot be used here, if so: then the contract prints the reason and
///     is skipped
public record RunTarget(
        String backend,
        Map<String, String> options,
        Transport transport,
        Set<Behaviour> behaviours,
        Optional<String> missing) {
    public RunTarget {
        options = Map.copyOf(options);
        behaviours = Set.copyOf(behaviours);
    }

    /// Returns a target that can be used.
    public static RunTarget of(String backend, Map<String, String> options, Transport transport, Behaviour... can) {
        EnumSet<Behaviour> behaviours = EnumSet.noneOf(Behaviour.class);
        behaviours.addAll(Set.of(can));
        return new RunTarget(backend, options, transport, behaviours, Optional.empty());
    }

    /// Returns a target that cannot be used.
    public static RunTarget missing(String backend, String why) {
        return new RunTarget(backend, Map.of(), Transport.AUTO, Set.of(), Optional.of(why));
    }

    boolean has(Behaviour behaviour) {
        return behaviours.contains(behaviour);
    }

    Settings configure(Settings settings) {
        return settings.withBackend(backend, options).withTransport(transport);
    }

    /// Returns the backend itself.
    public Backend find() {
        return ServiceLoader.load(Backend.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found -> found.name().equals(backend))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("There is no backend " + backend));
    }

    @Override
    public String toString() {
        return backend + " over " + transport.name().toLowerCase(Locale.ROOT);
    }
}
