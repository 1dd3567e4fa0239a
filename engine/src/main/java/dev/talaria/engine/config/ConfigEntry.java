package dev.talaria.engine.config;

/// One value that somebody set.
///
/// @param key the full name of a key in {@link ConfigKeys} or of a backend's option
/// @param written the value as it was written
/// @param origin where it was written
record ConfigEntry(String key, WrittenValue written, Origin origin) {}
