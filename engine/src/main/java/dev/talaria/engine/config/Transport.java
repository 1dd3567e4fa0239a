package dev.talaria.engine.config;

/// How a run's tool calls travel between the script and the engine.
public enum Transport {
    /// The fastest one that the sandbox offers.
    AUTO,
    /// The host's own Unix socket; needs a sandbox that shares the host's files.
    UDS,
    /// The relay's channel; needs a sandbox that streams.
    STREAM,
    /// Request and response files; works wherever a command can be run.
    FILE
}
