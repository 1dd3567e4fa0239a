package dev.talaria.engine.tool.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.output.Redactor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RollingOutputTest {
    private final RollingOutput output = new RollingOutput(Redactor.on(), Redactor.Mode.CODE);

    private void say(String text) {
        output.accept(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void theEndIsKeptWhateverThePiecesAre() {
        Random random = new Random(4711);
        StringBuilder all = new StringBuilder();
        while (all.length() < 3 * RollingOutput.CAPACITY) {
            String piece = String.valueOf((char) ('a' + random.nextInt(26))).repeat(random.nextInt(9000));
            all.append(piece);
            say(piece);
            int count = Math.min(all.length(), RollingOutput.CAPACITY);
            String kept = new String(output.last(RollingOutput.CAPACITY), StandardCharsets.UTF_8);
            assertThat(kept.equals(all.substring(all.length() - count))).isTrue();
        }
        assertThat(output.total()).isEqualTo(all.length());
    }

    @Test
    void onePieceMayBeLargerThanAll() {
        say("x".repeat(RollingOutput.CAPACITY) + "end");

        assertThat(output.tail(10)).endsWith("end");
    }

    @Test
    void theTailIsCleanAndBounded() {
        say("one\r\n\u001b[31mtwo\u001b[0m\r\n");

        assertThat(output.tail(1000)).isEqualTo("one\ntwo\n");
        say("three\n");
        assertThat(output.tail(1000)).isEqualTo("one\ntwo\nthree\n");
        assertThat(output.tail(6)).isEqualTo("three\n");
    }

    @Test
    void theTailTellsWhetherThereWasMore() {
        say("one\r\n\u001b[31mtwo\u001b[0m\r\n"); // more bytes than characters

        assertThat(output.end(1000).cut()).isFalse();
        assertThat(output.end(4).cut()).isTrue();
        say("x".repeat(RollingOutput.CAPACITY));
        assertThat(output.end(1000).cut()).isTrue();
    }
}
