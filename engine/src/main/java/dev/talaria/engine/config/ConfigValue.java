package dev.talaria.engine.config;

/// The effective value of one key.
///
/// @param key the key's full name, such as `script.timeout`
/// @param text the value as it would be written in `talaria.yaml`
/// @param origin where the value was set
public record ConfigValue(String key, String text, Origin origin) {}
