package dev.talaria.engine.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonFieldsTest {
    private static final Map<String, Object> FIELDS =
            Json.object("{\"text\":\"a\",\"blank\":\" \",\"list\":[\"a\",1],\"yes\":true,\"no\":false,\"null\":null}");

    @Test
    void aFieldOfAnotherKindIsNotThere() {
        assertThat(JsonFields.text(FIELDS, "text")).contains("a");
        assertThat(JsonFields.text(FIELDS, "blank")).contains(" ");
        assertThat(JsonFields.filled(FIELDS, "blank")).isEmpty();
        assertThat(JsonFields.texts(FIELDS, "list")).containsExactly("a", "1");
        assertThat(JsonFields.isTrue(FIELDS, "yes")).isTrue();
        for (String other : new String[] {"no", "null", "missing"}) {
            assertThat(JsonFields.text(FIELDS, other)).isEmpty();
            assertThat(JsonFields.texts(FIELDS, other)).isEmpty();
            assertThat(JsonFields.number(FIELDS, other)).isEmpty();
            assertThat(JsonFields.longNumber(FIELDS, other)).isEmpty();
            assertThat(JsonFields.seconds(FIELDS, other)).isEmpty();
            assertThat(JsonFields.isTrue(FIELDS, other)).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({"0, true", "-7, true", "5.0, true", "5.5, false", "4294967296, false", "18446744073709551616, false"})
    void aNumberIsWholeAndHasRoom(String written, boolean there) {
        assertThat(JsonFields.number(Json.object("{\"n\":" + written + "}"), "n")
                        .isPresent())
                .isEqualTo(there);
    }

    @ParameterizedTest
    @CsvSource({"5, PT5S", "0.25, PT0.25S", "0.0001, PT0S", "1e300, PT876000H", "18446744073709551616, PT876000H"})
    void secondsAreATimeOfAHundredYearsAtMost(String written, Duration time) {
        assertThat(JsonFields.seconds(Json.object("{\"n\":" + written + "}"), "n"))
                .contains(time);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "\"5\"", "true"})
    void allElseIsNoTime(String written) {
        assertThat(JsonFields.seconds(Json.object("{\"n\":" + written + "}"), "n"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"5 | a number", "1.5 | a number", "true | a boolean", "[] | an array", "{} | an object", "\"a\" | a string"})
    void everyValueHasAType(String written, String name) {
        Object value = Json.object("{\"n\":" + written + "}").get("n");

        assertThat(JsonFields.typeWithArticle(value)).isEqualTo(name).endsWith(" " + JsonFields.type(value));
    }
}
