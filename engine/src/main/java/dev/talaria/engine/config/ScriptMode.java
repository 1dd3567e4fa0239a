package dev.talaria.engine.config;

/// Where a script runs and with which interpreter.
public enum ScriptMode {
    /// In the session's working folder, with the project's own virtual environment if there is one.
    PROJECT,
    /// In an empty staging folder, with Talaria's interpreter.
    STRICT
}
