package dev.talaria.engine.config;

/// One thing that somebody set.
///
/// @param key full name, of a key in {@link ConfigKeys} or of a backend's option
record ConfigEntry(String key, WrittenValue written, Origin origin) {}
