package dev.talaria.backends;

import dev.talaria.api.Backend;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// A backend's own settings. Names that it does not know are refused: a mistyped one must not be ignored.
final class Options {
    private final String backend;
    private final Map<String, String> values;

    private Options(String backend, Map<String, String> values) {
        this.backend = backend;
        this.values = values;
    }

    static Options of(Backend backend, SandboxSpec spec) {
        return new Options(backend.name(), spec.options());
    }

    /// Refuses every option but these.
    Options allow(String... names) {
        Set<String> unknown = new TreeSet<>(values.keySet());
        Set.of(names).forEach(unknown::remove);
        if (!unknown.isEmpty()) {
            String known = names.length == 0 ? "It takes none." : "It takes: " + String.join(", ", names) + ".";
            throw refuse("The backend " + backend + " has no option " + String.join(", ", unknown) + ". " + known);
        }
        return this;
    }

    Optional<String> find(String name) {
        return Optional.ofNullable(values.get(name)).filter(value -> !value.isBlank());
    }

    /// Returns the option's value.
    ///
    /// @param purpose how the message goes on after "Set option NAME to"
    String require(String name, String purpose) {
        return find(name)
                .orElseThrow(() -> refuse("The backend " + backend + " needs to know its place. Set option " + name
                        + " to " + purpose + "."));
    }

    /// Returns the option's value, which goes into a client's command line and must not be taken for a flag there.
    String requireName(String name, String purpose) {
        String value = require(name, purpose);
        if (value.startsWith("-")) {
            throw refuse("Option " + name + " of the backend " + backend + " is '" + value
                    + "': it may not start with '-'.");
        }
        return value;
    }

    static SandboxException refuse(String message) {
        return new SandboxException(ErrorCode.INVALID_CONFIGURATION, message);
    }
}
