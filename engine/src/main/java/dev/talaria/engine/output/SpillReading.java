package dev.talaria.engine.output;

import dev.talaria.api.Sandbox;

/// Tells who can read a spill file besides `read_file`, which always can.
public final class SpillReading {
    private SpillReading() {}

    /// Returns a sentence to add to a spill file's path.
    public static String elsewhere(Sandbox sandbox) {
        return sandbox.showsHost()
                ? "Commands and scripts can read the file, too (grep, tail)."
                : "Commands and scripts cannot see the file: it is not in the sandbox, and read_file reads it from outside.";
    }
}
