package dev.talaria.engine.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads and writes times and sizes as people write them. Whole times are written without a `BigDecimal`, since
/// loading that class takes 25 ms.
final class Units {
    /// Stands for an unlimited time, as far as {@link dev.talaria.api.Deadline} reaches.
    static final Duration FOREVER = Duration.ofDays(365 * 100L);

    private static final Pattern QUANTITY = Pattern.compile("([0-9]{1,19}(?:\\.[0-9]{1,9})?)\\s*([A-Za-z]*)");

    private static final Map<String, Duration> TIMES = Map.of(
            "", Duration.ofSeconds(1),
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));

    private static final Map<String, Long> SIZES = Map.of(
            "", 1L,
            "b", 1L,
            "kb", 1_000L,
            "mb", 1_000_000L,
            "gb", 1_000_000_000L,
            "tb", 1_000_000_000_000L,
            "kib", 1L << 10,
            "mib", 1L << 20,
            "gib", 1L << 30,
            "tib", 1L << 40);

    private Units() {}

    /// Reads `300`, `300s`, `1.5h`.
    static Duration duration(String text) {
        Quantity quantity = quantity(text);
        Duration unit = Optional.ofNullable(TIMES.get(quantity.unit()))
                .orElseThrow(() -> new IllegalArgumentException(ValueKind.no(text)));
        BigDecimal nanos = quantity.number().multiply(BigDecimal.valueOf(unit.toNanos()));
        if (nanos.signum() == 0 || nanos.compareTo(BigDecimal.valueOf(FOREVER.toNanos())) > 0) {
            throw new IllegalArgumentException("'" + text + "' is zero or longer than a century.");
        }
        return Duration.ofNanos(Math.max(1, nanos.longValue()));
    }

    /// Reads `50000`, `64KiB`, `64MiB`, `1.5GiB`; `KB`, `MB` and `GB` count in thousands.
    static long bytes(String text) {
        Quantity quantity = quantity(text);
        long unit = Optional.ofNullable(SIZES.get(quantity.unit()))
                .orElseThrow(() -> new IllegalArgumentException(ValueKind.no(text)));
        BigDecimal bytes = quantity.number().multiply(BigDecimal.valueOf(unit));
        if (bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException("'" + text + "' is more than can be counted.");
        }
        return bytes.longValue();
    }

    /// Returns a time in the largest unit that leaves no rest.
    static String text(Duration time) {
        if (time.toNanosPart() != 0) {
            return BigDecimal.valueOf(time.toNanos(), 9).stripTrailingZeros().toPlainString() + "s";
        }
        long seconds = time.toSeconds();
        if (seconds % 86_400 == 0) {
            return seconds / 86_400 + "d";
        }
        if (seconds % 3600 == 0) {
            return seconds / 3600 + "h";
        }
        return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }

    /// Returns a size in the largest binary unit that leaves no rest.
    static String text(long bytes) {
        for (int power = 4; power > 0; power--) {
            long unit = 1L << (10 * power);
            if (bytes != 0 && bytes % unit == 0) {
                return bytes / unit + String.valueOf(" KMGT".charAt(power)) + "iB";
            }
        }
        return String.valueOf(bytes);
    }

    private record Quantity(BigDecimal number, String unit) {}

    private static Quantity quantity(String text) {
        Matcher matcher = QUANTITY.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(ValueKind.no(text));
        }
        return new Quantity(new BigDecimal(matcher.group(1)), matcher.group(2).toLowerCase(Locale.ROOT));
    }
}
