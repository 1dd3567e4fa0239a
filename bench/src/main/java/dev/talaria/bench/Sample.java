package dev.talaria.bench;

import java.util.Arrays;
import java.util.Collection;

/// Durations of one thing done many times, in nanoseconds.
final class Sample {
    private final long[] sorted;

    private Sample(long[] values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("Nothing was measured.");
        }
        sorted = values.clone();
        Arrays.sort(sorted);
    }

    static Sample of(Collection<Long> nanos) {
        return new Sample(nanos.stream().mapToLong(Long::longValue).toArray());
    }

    int size() {
        return sorted.length;
    }

    long median() {
        return quantile(0.5);
    }

    long p90() {
        return quantile(0.9);
    }

    /// Returns a quantile by the nearest rank: always a duration that was measured.
    private long quantile(double share) {
        return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
    }
}
