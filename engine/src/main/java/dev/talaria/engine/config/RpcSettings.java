package dev.talaria.engine.config;

/// How the engine listens to a script's tool calls.
///
/// @param maxLineBytes the longest request that is read
/// @param compatible whether requests without an id and a token are served, as the seeds' own stub sends them
public record RpcSettings(int maxLineBytes, boolean compatible) {

    /// The least that `maxLineBytes` can be: room for any call without bulk data.
    public static final int MIN_LINE_BYTES = 1024;

    public RpcSettings {
        Require.atLeast("rpc.max-line-bytes", maxLineBytes, MIN_LINE_BYTES);
    }

    public static RpcSettings defaults() {
        return new RpcSettings(16 << 20, false);
    }

    public RpcSettings withCompatible(boolean newCompatible) {
        return new RpcSettings(maxLineBytes, newCompatible);
    }
}
