package dev.talaria.engine.config;

import dev.talaria.engine.config.ConfigKey.InProject;
import java.util.ArrayList;
import java.util.List;

/// The keys that one record of settings declares, in their order. A declaration adds its key to the list, so that no
/// key is forgotten.
final class DeclaredKeys {
    private final List<ConfigKey<?>> keys = new ArrayList<>();

    /// Declares a key.
    ///
    /// @param name the full name: `script.timeout`
    /// @param kind how its values are written
    /// @param standard the default
    /// @param inProject what a project's own file may do with the key
    /// @param sentence the meaning of the key, in one sentence
    <T> ConfigKey<T> add(String name, ValueKind<T> kind, T standard, InProject inProject, String sentence) {
        ConfigKey<T> key = new ConfigKey<>(name, kind, standard, inProject, sentence);
        keys.add(key);
        return key;
    }

    List<ConfigKey<?>> all() {
        return List.copyOf(keys);
    }
}
