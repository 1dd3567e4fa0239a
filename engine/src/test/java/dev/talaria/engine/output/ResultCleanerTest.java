package dev.talaria.engine.output;

import static dev.talaria.api.Masking.OUTPUT;
import static dev.talaria.engine.output.Redactor.Mode.FILE_READ;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResultCleanerTest {

    private static final String TOKEN = "ghp_Ab1Cd2Ef3Gh4Ij5Kl6";
    private static final String MASKED = "ghp_Ab...5Kl6";

    private final ResultCleaner cleaner = new ResultCleaner(Redactor.on());

    @Test
    void everyTextIsCleanedWhereverItIs() {
        var value = new LinkedHashMap<String, Object>();
        value.put("a", "\u001b[31m" + TOKEN + "\u001b[0m");
        value.put("b", List.of(Map.of("c", TOKEN), 1, true));
        value.put("d", new Object[] {TOKEN});
        value.put(TOKEN, 1);

        var cleaned = cleaner.clean(value, OUTPUT);

        assertThat(cleaned)
                .containsEntry("a", MASKED)
                .containsEntry("b", List.of(Map.of("c", MASKED), 1, true))
                .containsEntry("d", List.of(MASKED))
                .containsEntry(MASKED, 1);
        assertThat(cleaned.keySet()).containsExactly("a", "b", "d", MASKED);
    }

    @Test
    void cleanTextIsUnwrappedUntouched() {
        assertThat(cleaner.clean(Map.of("a", new CleanText("x\ry " + TOKEN)), OUTPUT))
                .containsEntry("a", "x\ry " + TOKEN);
    }

    @Test
    void aFilesContentStaysAsItIsButForSecretsAndHiddenTags() {
        String tag = new String(Character.toChars(0xe0061));

        assertThat(cleaner.clean("a\rb\r\n\u001b[1m" + tag + "c\n" + TOKEN, FILE_READ))
                .isEqualTo("a\rb\r\n\u001b[1mc\n«redacted:ghp_…»");
    }

    @Test
    void otherTypesPassOrBecomeText() {
        var value = new LinkedHashMap<String, Object>();
        value.put("number", 1.5);
        value.put("null", null);
        value.put("some", Optional.of("text"));
        value.put("none", Optional.empty());
        value.put("path", Path.of("/tmp/x"));
        value.put("list", Arrays.asList("a", null));

        Map<String, Object> cleaned = cleaner.clean(value, OUTPUT);

        assertThat(cleaned)
                .containsEntry("number", 1.5)
                .containsEntry("null", null)
                .containsEntry("some", "text")
                .containsEntry("none", null)
                .containsEntry("path", "/tmp/x")
                .containsEntry("list", Arrays.asList("a", null));
    }

    @Test
    void namesThatMasksMadeAlikeStayApart() {
        var value = new LinkedHashMap<String, Object>();
        value.put("sk-abcdefghijkl", 1);
        value.put("sk-abcdefghijkm", 2);

        assertThat(cleaner.clean(value, OUTPUT)).containsEntry("***", 1).containsEntry("*** (2)", 2);
    }

    @Test
    void deepValuesEnd() {
        List<Object> deep = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            deep = new ArrayList<>(List.of(deep));
        }

        assertThat(cleaner.clean(Map.of("deep", deep), OUTPUT).toString()).contains("levels deep: left out");
    }
}
