package dev.talaria.engine.config;

import static dev.talaria.engine.config.ConfigKey.InProject.NARROW;
import static dev.talaria.engine.config.ConfigKey.InProject.REFUSED;

import java.time.Duration;

/// What happens to output on its way to the model.
///
/// @param redact whether secrets in output are masked
/// @param resultChars the most characters that one result may hold
/// @param spillBytes the most bytes that one spill file keeps
/// @param spillTotal the most bytes that all spill files keep together
/// @param spillKeep how long a spill file is kept
public record OutputSettings(boolean redact, int resultChars, long spillBytes, long spillTotal, Duration spillKeep) {

    /// The smallest value of `resultChars`: an error message with its hint has to fit.
    public static final int MIN_RESULT_CHARS = 1000;

    static final DeclaredKeys KEYS = new DeclaredKeys();

    static final ConfigKey<Boolean> REDACT =
            KEYS.add("output.redact", ValueKind.flag(), true, REFUSED, "Whether secrets in output are masked.");
    static final ConfigKey<Integer> RESULT_CHARS = KEYS.add(
            "output.result-chars",
            ValueKind.count(MIN_RESULT_CHARS, Integer.MAX_VALUE),
            100_000,
            NARROW,
            "The most characters that one result may hold.");
    static final ConfigKey<Long> SPILL_BYTES = KEYS.add(
            "output.spill-bytes",
            ValueKind.size(),
            64L << 20,
            NARROW,
            "How much of a long output one spill file keeps.");
    static final ConfigKey<Long> SPILL_TOTAL = KEYS.add(
            "output.spill-total",
            ValueKind.size(),
            1L << 30,
            REFUSED, // a lower value would delete the files of other projects
            "How much all spill files keep together; the oldest make room.");
    static final ConfigKey<Duration> SPILL_KEEP = KEYS.add(
            "output.spill-keep",
            ValueKind.duration(),
            Duration.ofDays(7),
            REFUSED, // for the same reason
            "How long a spill file is kept.");

    public OutputSettings {
        Require.atLeast(RESULT_CHARS, resultChars, MIN_RESULT_CHARS);
        Require.atLeast(SPILL_BYTES, spillBytes, 0);
        Require.atLeast(SPILL_TOTAL, spillTotal, 0);
        Require.positive(SPILL_KEEP, spillKeep);
    }

    static OutputSettings from(Choices choices) {
        return new OutputSettings(
                choices.value(REDACT),
                choices.value(RESULT_CHARS),
                choices.value(SPILL_BYTES),
                choices.value(SPILL_TOTAL),
                choices.value(SPILL_KEEP));
    }
}
