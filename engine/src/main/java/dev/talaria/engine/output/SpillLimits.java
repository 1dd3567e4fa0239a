package dev.talaria.engine.output;

import java.time.Duration;

/// Limits for the room of spill files.
///
/// @param each the largest size of one file in bytes; of a longer stream the beginning is kept
/// @param total the largest size of all files together in bytes; the oldest are removed to make room
/// @param keep how long a file is kept
public record SpillLimits(long each, long total, Duration keep) {

    public SpillLimits {
        if (each < 1 || total < each || keep.isNegative()) {
            throw new IllegalArgumentException(
                    "Spill limits need 0 < each <= total and a time to keep, not each=%,d total=%,d keep=%s"
                            .formatted(each, total, keep));
        }
    }
}
