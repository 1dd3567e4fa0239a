package dev.talaria.testkit;

import dev.talaria.api.Backend;
import dev.talaria.api.Isolation;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxSpec;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;

/// A sandbox of the testbed, with its declared properties.
///
/// @param backend the name of the backend
/// @param options the backend's own settings
/// @param isolation what it keeps out
/// @param abilities what it can do beyond the minimum
/// @param missing why the sandbox cannot be used here, if so: the contract then prints the reason and is skipped
public record TestSandbox(
        String backend,
        Map<String, String> options,
        Isolation isolation,
        Set<Ability> abilities,
        Optional<String> missing) {
    public TestSandbox {
        options = Map.copyOf(options);
        abilities = Set.copyOf(abilities);
    }

    /// An ability of a sandbox beyond the minimum. The contract asserts that it works, and otherwise
    /// that it fails in the agreed way.
    public enum Ability {
        /// Files, processes and Unix sockets are those of the host.
        SHARES_HOST,
        /// A command gets exactly the given environment. Undeclared: NOT_SUPPORTED.
        ENVIRONMENT,
        /// Killing a command also ends its children, even those that were forked twice.
        KILLS_TREE
    }

    /// Returns a sandbox that can be used.
    public static TestSandbox of(
            String backend, Map<String, String> options, Isolation isolation, Ability... abilities) {
        return new TestSandbox(backend, options, isolation, Set.of(abilities), Optional.empty());
    }

    /// Returns a sandbox that cannot be used.
    public static TestSandbox missing(String backend, String why) {
        return new TestSandbox(backend, Map.of(), Isolation.NONE, Set.of(), Optional.of(why));
    }

    boolean can(Ability ability) {
        return abilities.contains(ability);
    }

    /// Returns the backend, found in the same way as by doors.
    public Backend find() {
        return ServiceLoader.load(Backend.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found -> found.name().equals(backend))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("There is no backend " + backend));
    }

    public Sandbox open() {
        return find().open(new SandboxSpec(options));
    }
}
