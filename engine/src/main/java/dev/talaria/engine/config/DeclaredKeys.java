package dev.talaria.engine.config;

import dev.talaria.engine.config.ConfigKey.InProject;
import java.util.ArrayList;
import java.util.List;

/// The keys that one record of settings declares, in the order in which it does. A key is listed by being declared, so
/// nobody can forget that.
final class DeclaredKeys {
    private final List<ConfigKey<?>> keys = new ArrayList<>();

    /// Declares a key.
    ///
    /// @param name the full name: `script.timeout`
    /// @param kind how its values are written
    /// @param standard the value that counts if nobody chose one
    /// @param inProject what a project's own file may do with it
    /// @param sentence what it means
    <T> ConfigKey<T> add(String name, ValueKind<T> kind, T standard, InProject inProject, String sentence) {
        ConfigKey<T> key = new ConfigKey<>(name, kind, standard, inProject, sentence);
        keys.add(key);
        return key;
    }

    List<ConfigKey<?>> all() {
        return List.copyOf(keys);
    }
}
