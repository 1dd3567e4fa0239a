package dev.talaria.engine.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveLinesTest {

    private final List<String> lines = new ArrayList<>();
    private final FakeClock clock = new FakeClock();
    private final LiveLines live = new LiveLines(Redactor.on(), Redactor.Mode.CODE, lines::add, clock);

    private static final class FakeClock implements InstantSource {
        private Instant now = Instant.EPOCH;

        @Override
        public Instant instant() {
            return now;
        }
    }

    private void accept(String text) {
        live.accept(ByteBuffer.wrap(text.getBytes(UTF_8)));
    }

    private void acceptByteByByte(String text) {
        for (byte b : text.getBytes(UTF_8)) {
            live.accept(ByteBuffer.wrap(new byte[] {b}));
        }
    }

    @Test
    void linesComeWhenTheyAreComplete() {
        accept("one\ntw");
        assertThat(lines).containsExactly("one");

        accept("o\n\nlast");
        assertThat(lines).containsExactly("one", "two", "");

        live.finish();
        assertThat(lines).containsExactly("one", "two", "", "last");
    }

    @Test
    void charactersAndSequencesMayBeSplitOverChunks() {
        acceptByteByByte("\u001b[31mrötlich 🙂\u001b[0m\u001b]0;title\u0007\r\n50%\r100%\n");

        assertThat(lines).containsExactly("rötlich 🙂", "100%");
    }

    @Test
    void secretsAreMasked() {
        accept("token ghp_Ab1Cd2Ef3Gh4Ij5Kl6\n");

        assertThat(lines).containsExactly("token ghp_Ab...5Kl6");
    }

    @Test
    void keyBlocksAreMaskedOverTheirLines() {
        String body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";

        accept("before\n-----BEGIN PRIVATE KEY-----\n" + body + "\n" + body
                + "\nshort==\n-----END PRIVATE KEY----- after\nlater\n");
        accept("-----BEGIN PRIVATE KEY-----\nnot a key's body\n");

        assertThat(lines)
                .containsExactly(
                        "before",
                        "[REDACTED PRIVATE KEY]",
                        "",
                        "",
                        "",
                        " after",
                        "later",
                        "[REDACTED PRIVATE KEY]",
                        "not a key's body");
    }

    @Test
    void longLinesAreCutAndTheirLastTokenMasked() {
        acceptByteByByte("word ".repeat(1637) + "sk-abcdefghijklmnopqrstuvwxyz" + "\nnext\n");

        assertThat(lines.getFirst()).startsWith("word word").endsWith("word *** ... [22 bytes cut]");
        assertThat(lines.getLast()).isEqualTo("next");
    }

    @Test
    void endlessRedrawsKeepTheirLatestState() {
        for (int i = 0; i <= 100_000; i += 10) {
            accept("\rstep " + i);
        }
        accept("\n");

        assertThat(lines).containsExactly("step 100000");
    }

    @Test
    void aFloodIsThinnedOutAndSaysSo() {
        String megabyte = ("x".repeat(127) + "\n").repeat(8192);
        for (int i = 0; i < 5; i++) {
            accept(megabyte);
        }
        assertThat(lines).hasSize(2 * 8192);

        clock.now = clock.now.plus(Duration.ofSeconds(1));
        accept("rest of a line\nafter\n");

        assertThat(lines).endsWith("... [3,145,743 bytes not shown live] ...", "after");
    }

    @Test
    void whatWasLeftOutAtTheEndIsSaid() {
        accept("x".repeat(3 << 20));
        accept("tail\n");
        live.finish();

        assertThat(lines.getLast()).isEqualTo("... [3,145,733 bytes not shown live] ...");
    }

    @Test
    void aClockThatIsSetBackSilencesNothing() {
        String flood = ("x".repeat(1023) + "\n").repeat(4 << 10);
        accept(flood);
        clock.now = Instant.EPOCH.plus(Duration.ofDays(365));
        accept(flood);
        clock.now = Instant.EPOCH;
        accept("left out\n");
        clock.now = clock.now.plus(Duration.ofSeconds(5));
        accept("left out\nshown\n");

        assertThat(lines.getLast()).isEqualTo("shown");
    }
}
