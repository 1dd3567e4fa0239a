package dev.talaria.engine.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextPageTest {
    private static TextPage page(String text, int offset, int limit) {
        return TextPage.of(text.getBytes(StandardCharsets.UTF_8), offset, limit);
    }

    @ParameterizedTest
    @CsvSource({"1,1,'a\n'", "2,1,'b\n'", "2,9,'b\nc'", "3,1,c", "4,1,''", "1,2,'a\nb\n'"})
    void linesAreCountedFromOne(int offset, int limit, String expected) {
        assertThat(page("a\nb\nc", offset, limit).content()).isEqualTo(expected);
    }

    @Test
    void aLineEndAtTheEndMakesNoFurtherLine() {
        assertThat(page("a\nb\n", 1, 10)).isEqualTo(new TextPage("a\nb\n", 2, 2));
        assertThat(page("", 1, 10)).isEqualTo(new TextPage("", 0, 0));
        assertThat(page("\n\n", 1, 10)).isEqualTo(new TextPage("\n\n", 2, 2));
    }
}
