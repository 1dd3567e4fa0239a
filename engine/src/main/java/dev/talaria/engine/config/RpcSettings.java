package dev.talaria.engine.config;

import static dev.talaria.engine.config.ConfigKey.InProject.NARROW;
import static dev.talaria.engine.config.ConfigKey.InProject.REFUSED;

/// How the engine reads a script's tool calls.
///
/// @param maxLineBytes the size of the longest request in bytes
/// @param compatible whether requests without an id and a token are served, as Hermes' own stub sends them
public record RpcSettings(int maxLineBytes, boolean compatible) {

    /// The least that `maxLineBytes` can be: room for any call without bulk data.
    public static final int MIN_LINE_BYTES = 1024;

    static final DeclaredKeys KEYS = new DeclaredKeys();

    static final ConfigKey<Integer> MAX_LINE_BYTES = KEYS.add(
            "rpc.max-line-bytes",
            ValueKind.intSize(MIN_LINE_BYTES, Integer.MAX_VALUE),
            16 << 20,
            NARROW,
            "The longest tool call of a script that is read.");
    static final ConfigKey<Boolean> COMPATIBLE = KEYS.add(
            "rpc.compatible",
            ValueKind.flag(),
            false,
            REFUSED,
            "Whether tool calls without id and token are served, as Hermes' own stub sends them.");

    public RpcSettings {
        Require.atLeast(MAX_LINE_BYTES, maxLineBytes, MIN_LINE_BYTES);
    }

    public static RpcSettings defaults() {
        return from(new Choices());
    }

    static RpcSettings from(Choices choices) {
        return new RpcSettings(choices.value(MAX_LINE_BYTES), choices.value(COMPATIBLE));
    }

    public RpcSettings withCompatible(boolean newCompatible) {
        return new RpcSettings(maxLineBytes, newCompatible);
    }
}
