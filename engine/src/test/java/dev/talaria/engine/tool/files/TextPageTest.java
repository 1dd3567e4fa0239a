package dev.talaria.engine.tool.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.tool.files.TextPage.Fit;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
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
        assertThat(page("a\nb\n", 1, 10)).isEqualTo(new TextPage("a\nb\n", 2, 2, Fit.LINES));
        assertThat(page("", 1, 10)).isEqualTo(new TextPage("", 0, 0, Fit.LINES));
        assertThat(page("\n\n", 1, 10)).isEqualTo(new TextPage("\n\n", 2, 2, Fit.LINES));
    }

    @Test
    void aPageHoldsWholeLinesAsFarAsItsRoomReaches() {
        String text = "one\ntwo\n\"three\"";

        assertThat(page(text, 1, 10).within(18, UnaryOperator.identity()))
                .isEqualTo(new TextPage("one\ntwo\n", 3, 2, Fit.ROOM));
        assertThat(page(text, 3, 10).within(9, UnaryOperator.identity()))
                .isEqualTo(new TextPage("\"three\"", 3, 1, Fit.LINES));
    }

    @Test
    void aFirstLineThatDoesNotFitIsCutBetweenCharacters() {
        assertThat(page("a🐍🐍\nb\n", 1, 2).within(4, UnaryOperator.identity()))
                .isEqualTo(new TextPage("a🐍", 2, 1, Fit.PART_OF_A_LINE));
    }

    @Test
    void aLineIsMaskedBeforeItIsCut() {
        assertThat(page("ab s3cr3t", 1, 1)
                        .within(6, line -> line.replace("s3cr3t", "***"))
                        .content())
                .isEqualTo("ab ***");
    }

    @Test
    void longLinesAreFoldedIntoPieces() {
        String text = "short\n" + "x".repeat(LongLines.LONGEST - 1) + "🐍" + "y".repeat(10) + "\nend";

        String folded = new String(
                LongLines.fold(text.getBytes(StandardCharsets.UTF_8), line -> line)
                        .orElseThrow(),
                StandardCharsets.UTF_8);

        assertThat(folded.lines())
                .containsExactly("short", "x".repeat(LongLines.LONGEST - 1), "🐍" + "y".repeat(10), "end");
    }

    @Test
    void aLongLineIsMaskedBeforeItIsFolded() {
        String secret = "s3cr3t";
        String text = "x".repeat(LongLines.LONGEST - 3) + secret + "\n";

        String folded = new String(
                LongLines.fold(text.getBytes(StandardCharsets.UTF_8), line -> line.replace(secret, "***"))
                        .orElseThrow(),
                StandardCharsets.UTF_8);

        assertThat(folded).isEqualTo("x".repeat(LongLines.LONGEST - 3) + "***\n");
    }
}
