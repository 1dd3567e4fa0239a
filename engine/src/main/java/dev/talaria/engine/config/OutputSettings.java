package dev.talaria.engine.config;

import java.time.Duration;

/// What happens to output on its way to the model.
///
/// @param redact whether secrets in output are masked
/// @param resultChars the most characters that one result may hold
/// @param spillBytes the most bytes that one spill file keeps
/// @param spillTotal the most bytes that all spill files keep together
/// @param spillKeep how long a spill file is kept
public record OutputSettings(boolean redact, int resultChars, long spillBytes, long spillTotal, Duration spillKeep) {

    /// The least that `resultChars` can be: room for an error message and its hint.
    public static final int MIN_RESULT_CHARS = 1000;

    public OutputSettings {
        Require.atLeast("output.result-chars", resultChars, MIN_RESULT_CHARS);
        Require.atLeast("output.spill-bytes", spillBytes, 0);
        Require.atLeast("output.spill-total", spillTotal, 0);
        Require.positive("output.spill-keep", spillKeep);
    }

    public static OutputSettings defaults() {
        return new OutputSettings(true, 100_000, 64L << 20, 1L << 30, Duration.ofDays(7));
    }

    public OutputSettings withRedact(boolean newRedact) {
        return new OutputSettings(newRedact, resultChars, spillBytes, spillTotal, spillKeep);
    }

    public OutputSettings withResultChars(int newResultChars) {
        return new OutputSettings(redact, newResultChars, spillBytes, spillTotal, spillKeep);
    }

    /// Returns the same settings with other limits on spill files.
    public OutputSettings withSpills(long newSpillBytes, long newSpillTotal, Duration newSpillKeep) {
        return new OutputSettings(redact, resultChars, newSpillBytes, newSpillTotal, newSpillKeep);
    }
}
