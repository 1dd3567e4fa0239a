package dev.talaria.engine.config;

/// Who shares a sandbox.
public enum SandboxScope {
    /// Each session has its own.
    SESSION,
    /// All sessions of an engine work in one, with one shell.
    SHARED
}
