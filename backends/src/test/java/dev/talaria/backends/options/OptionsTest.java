package dev.talaria.backends.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.backends.local.LocalBackend;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {
    private static Options options(String value) {
        return Options.of(new LocalBackend(), new SandboxSpec(Map.of("x", value)));
    }

    @ParameterizedTest
    @CsvSource({
        "1048576, 1048576",
        "1048576b, 1048576",
        "2048k, 2097152",
        "512m, 536870912",
        "5G, 5368709120",
        "2GiB, 2147483648",
        "2 GB, 2147483648",
        "1t, 1099511627776"
    })
    void sizes(String written, long bytes) {
        assertThat(options(written).bytes("x")).hasValue(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lots", "-5m", "5mm", "5ib", "1.5g", "5120", "0g", "512k", "999999999999999t"})
    void noSizes(String written) {
        assertThatThrownBy(() -> options(written).bytes("x"))
                .isInstanceOf(SandboxException.class)
                .hasMessageContaining("'" + written + "'")
                .hasMessageContaining("Option x of the backend local");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "x", "12345678"})
    void noCounts(String written) {
        assertThatThrownBy(() -> options(written).count("x", "apples")).hasMessageContaining("number of apples");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0.0", "-1", "x", "1,5"})
    void noDecimals(String written) {
        assertThatThrownBy(() -> options(written).decimal("x")).hasMessageContaining("0.5");
    }

    @Test
    void whatIsNotSetIsEmpty() {
        Options options = options(" ");

        assertThat(options.bytes("x")).isEmpty();
        assertThat(options.count("x", "apples")).isEmpty();
        assertThat(options.decimal("x")).isEmpty();
        assertThat(options.list("x")).isEmpty();
    }
}
