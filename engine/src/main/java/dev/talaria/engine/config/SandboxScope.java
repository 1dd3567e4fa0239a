package dev.talaria.engine.config;

/// Who shares a sandbox.
public enum SandboxScope {
    /// Each session has its own sandbox.
    SESSION,
    /// All sessions of an engine share one sandbox and its shell.
    SHARED
}
