package dev.talaria.engine.tool.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.output.Redactor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OutputWatchTest {
    private final List<String> told = new ArrayList<>();
    private long now = 1;
    private long printed;
    private final OutputWatch watch = new OutputWatch(
            List.of("ready", "ERROR"),
            NoticeState.nothing(),
            Redactor.on(),
            Redactor.Mode.CODE,
            () -> now,
            new OutputWatch.Listener() {
                @Override
                public void matched(String pattern, String lines, int suppressed, long position) {
                    told.add(pattern + ": " + lines + " (" + suppressed + ")");
                }

                @Override
                public void disabled(int suppressed, String why) {
                    told.add("disabled");
                }

                @Override
                public void over(int suppressed) {
                    told.add("over (" + suppressed + ")");
                }
            });

    private void say(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        printed += bytes.length;
        watch.accept(ByteBuffer.wrap(bytes), printed);
    }

    private void later(int seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
    }

    @Test
    void aTextInALineIsToldOnceHoweverItIsCut() {
        say("nothing\nserver re");
        say("ady\nERROR one\n");

        assertThat(told).containsExactly("ready: server ready\nERROR one (0)");
    }

    @Test
    void matchesWithinTheIntervalAreCountedAndNotTold() {
        say("ready 1\n");
        say("ready 2\nready 3\n");
        later(15);
        say("ready 4\n");

        assertThat(told).containsExactly("ready: ready 1 (0)", "ready: ready 4 (2)");
    }

    @Test
    void threeBusyIntervalsInARowEndIt() {
        for (int i = 0; i < 5; i++) {
            say("ready\n");
            say("ready\n");
            later(20);
        }

        assertThat(told).hasSize(4).endsWith("disabled");
    }

    @Test
    void aQuietIntervalForgives() {
        for (int i = 0; i < 4; i++) {
            say("ready\n");
            say(i % 2 == 0 ? "ready\n" : "quiet\n");
            later(20);
        }

        assertThat(told).hasSize(4).doesNotContain("disabled");
    }

    @Test
    void eightNoticesAreTheMost() {
        for (int i = 0; i < 12; i++) {
            say("ready\n");
            later(20);
        }

        assertThat(told).hasSize(9).endsWith("disabled");
    }

    @Test
    void whatComesAfterTheEndMatchesNothing() {
        watch.close();
        say("ready\n");

        assertThat(told).containsExactly("over (0)");
    }

    @Test
    void whatWasNotToldIsSummedUpAtTheEnd() {
        say("ready 1\n");
        say("ready 2\nready 3\n");
        watch.close();
        watch.close();

        assertThat(told).containsExactly("ready: ready 1 (0)", "over (2)");
    }
}
