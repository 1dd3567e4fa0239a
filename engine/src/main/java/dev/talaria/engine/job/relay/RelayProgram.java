package dev.talaria.engine.job.relay;

import java.nio.charset.StandardCharsets;

/// The relay's program, for others that keep processes.
public final class RelayProgram {
    private RelayProgram() {}

    /// Returns the half of `relay.py` that zygotes and keepers are given: it defines functions and does nothing else.
    public static byte[] ofKeepers() {
        String all = new String(RelayStart.program(), StandardCharsets.UTF_8);
        return all.substring(0, all.indexOf("\n# ==== mux ====")).getBytes(StandardCharsets.UTF_8);
    }
}
