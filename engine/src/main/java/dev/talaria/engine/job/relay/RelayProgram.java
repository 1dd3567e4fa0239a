package dev.talaria.engine.job.relay;

import java.nio.charset.StandardCharsets;

/// Provides the relay's program to other code that keeps processes.
public final class RelayProgram {
    private RelayProgram() {}

    /// Returns the half of `relay.py` for zygotes and keepers. It only defines functions.
    public static byte[] ofKeepers() {
        String all = new String(RelayStart.program(), StandardCharsets.UTF_8);
        return all.substring(0, all.indexOf("\n# ==== mux ====")).getBytes(StandardCharsets.UTF_8);
    }
}
