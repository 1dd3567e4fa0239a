package dev.talaria.engine.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SecretFilterTest {
    private final KnownSecrets secrets = new KnownSecrets();
    private final StringBuilder shown = new StringBuilder();
    private final SecretFilter filter = new SecretFilter(secrets, data -> shown.append(UTF_8.decode(data)));

    private void pass(String... parts) {
        for (String part : parts) {
            filter.accept(ByteBuffer.wrap(part.getBytes(UTF_8)));
        }
        filter.finish();
    }

    @Test
    void aSecretIsMaskedHoweverItIsCut() {
        secrets.add("swordfish");
        String text = "a swordfish, swordswordfish, s swordfis";
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            shown.setLength(0);
            int first = random.nextInt(text.length());
            int second = first + random.nextInt(text.length() - first);
            pass(text.substring(0, first), text.substring(first, second), text.substring(second));

            assertThat(shown).hasToString("a ***, sword***, s swordfis");
        }
    }

    @Test
    void ofTwoThatBeginAlikeTheLongerIsMasked() {
        secrets.add("sword");
        secrets.add("swordfish");
        String text = "a swordfish, a sword, swordfi sword";
        for (int cut = 0; cut <= text.length(); cut++) {
            shown.setLength(0);
            pass(text.substring(0, cut), text.substring(cut));

            assertThat(shown).hasToString("a ***, a ***, ***fi ***");
        }
        assertThat(Redactor.on().hiding(secrets).redact(text, Redactor.Mode.CODE))
                .isEqualTo("a ***, a ***, ***fi ***");
    }

    @Test
    void oneThatIsLearntLateIsMaskedFromThenOn() {
        filter.accept(ByteBuffer.wrap("swordfish ".getBytes(UTF_8)));
        secrets.add("swordfish");
        pass("swordfish");

        assertThat(shown).hasToString("swordfish ***");
    }

    @Test
    void whatIsTooShortToBeASecretIsShown() {
        secrets.add("abc");
        pass("abcabc");

        assertThat(shown).hasToString("abcabc");
    }

    @Test
    void textsAreMaskedToo() {
        secrets.add("swordfish");

        assertThat(Redactor.on().hiding(secrets).redact("echo swordfish", Redactor.Mode.CODE))
                .isEqualTo("echo ***");
        assertThat(Redactor.holdsSentinel(Redactor.on().hiding(secrets).redact("swordfish", Redactor.Mode.FILE_READ)))
                .isTrue();
        assertThat(Redactor.off().hiding(secrets).redact("echo swordfish", Redactor.Mode.CODE))
                .isEqualTo("echo ***");
    }
}
