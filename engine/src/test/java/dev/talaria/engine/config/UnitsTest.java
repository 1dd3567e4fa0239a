package dev.talaria.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class UnitsTest {

    @ParameterizedTest
    @CsvSource({
        "300, PT5M, 5m",
        "90s, PT1M30S, 90s",
        "5m, PT5M, 5m",
        "2 H, PT2H, 2h",
        "7d, PT168H, 7d",
        "1.5h, PT1H30M, 90m",
        "250ms, PT0.25S, 0.25s",
        "0.5, PT0.5S, 0.5s"
    })
    void times(String text, Duration time, String shown) {
        assertThat(Units.duration(text)).isEqualTo(time);
        assertThat(Units.text(time)).isEqualTo(shown);
        assertThat(Units.duration(shown)).isEqualTo(time);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "0", "0s", "-5", "5 minutes", "five", "1e3", "9999999999999999999d", "101y", "0x10", "5m3s"})
    void noTimes(String text) {
        assertThatThrownBy(() -> Units.duration(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "50000, 50000, 50000",
        "64KiB, 65536, 64KiB",
        "64 mib, 67108864, 64MiB",
        "1GiB, 1073741824, 1GiB",
        "1TiB, 1099511627776, 1TiB",
        "1MB, 1000000, 1000000",
        "1.5KiB, 1536, 1536",
        "12B, 12, 12"
    })
    void sizes(String text, long bytes, String shown) {
        assertThat(Units.bytes(text)).isEqualTo(bytes);
        assertThat(Units.text(bytes)).isEqualTo(shown);
        assertThat(Units.bytes(shown)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "64M", "1PiB", "9999999999999999999TiB", "lots"})
    void noSizes(String text) {
        assertThatThrownBy(() -> Units.bytes(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
