package dev.talaria.engine.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
}
