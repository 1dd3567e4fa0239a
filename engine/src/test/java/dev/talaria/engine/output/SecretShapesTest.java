package dev.talaria.engine.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Secrets of well-known shape are masked wherever they stand, and however the stream is cut.
class SecretShapesTest {

    private static final long SEED = 20_250;

    @ParameterizedTest
    @EnumSource(Redactor.Mode.class)
    void secretsOfWellKnownShapeAreMasked(Redactor.Mode mode) throws IOException {
        var shapes = new ArrayList<>(SecretShape.all(SEED));
        Collections.shuffle(shapes, new Random(9));
        int half = shapes.size() / 2;
        int first = masked(shapes.subList(0, half), mode);
        int second = masked(shapes.subList(half, shapes.size()), mode);
        System.out.printf(
                "Masked in mode %s: %d of %d (first half %d of %d, second half %d of %d)%n",
                mode, first + second, shapes.size(), first, half, second, shapes.size() - half);

        assertThat(shapes).hasSizeGreaterThan(220);
        assertThat(seen(shapes, mode)).isEmpty();
    }

    @Test
    void otherValuesOfTheSameShapesAreMasked() throws IOException {
        var seen = new TreeMap<String, Integer>();
        int count = 0;
        for (long seed = 0; seed < 20; seed++) {
            var shapes = SecretShape.all(seed);
            count += shapes.size();
            seen(shapes, Redactor.Mode.CODE).forEach(text -> seen.merge(text, 1, Integer::sum));
        }
        System.out.printf("With other values %d of %d are seen%n", seen.size(), count);

        assertThat(seen).hasSizeLessThan(count / 200);
    }

    private static int masked(List<SecretShape> shapes, Redactor.Mode mode) {
        return shapes.size() - seen(shapes, mode).size();
    }

    private static List<String> seen(List<SecretShape> shapes, Redactor.Mode mode) {
        return shapes.stream()
                .filter(shape -> shape.isSeenIn(Redactor.on().redact(shape.text(), mode)))
                .map(shape -> shape.vendor() + ": " + shape.text())
                .toList();
    }

    @Test
    void maskingTwiceChangesNothing() throws IOException {
        for (SecretShape shape : SecretShape.all(SEED)) {
            for (Redactor.Mode mode : Redactor.Mode.values()) {
                String once = Redactor.on().redact(shape.text(), mode);

                assertThat(Redactor.on().redact(once, mode)).as(shape.text()).isEqualTo(once);
            }
        }
    }

    @Test
    void whatAFileReadHidesCannotBeWrittenBackUnnoticed() throws IOException {
        for (SecretShape shape : SecretShape.all(SEED)) {
            String shown = Redactor.on().redact(shape.text(), Redactor.Mode.FILE_READ);

            assertThat(Redactor.holdsSentinel(shown)).as(shown).isTrue();
        }
    }

    @Test
    void liveLinesMaskThemHoweverTheStreamIsCut() throws IOException {
        var random = new Random(5);
        for (SecretShape shape : SecretShape.all(SEED)) {
            var lines = new ArrayList<String>();
            var live = new LiveLines(Redactor.on(), Redactor.Mode.CODE, lines::add);
            byte[] bytes = ("before\n" + shape.text() + "\nafter\n").getBytes(UTF_8);
            for (int from = 0; from < bytes.length; ) {
                int length = Math.min(bytes.length - from, 1 + random.nextInt(40));
                live.accept(ByteBuffer.wrap(bytes, from, length));
                from += length;
            }
            live.finish();

            assertThat(shape.isSeenIn(String.join("\n", lines)))
                    .as(() -> String.join("\n", lines))
                    .isFalse();
        }
    }

    /// What gives a secret away is before it, but in one of the list: an edge between the two shows that one.
    private static boolean isGivenAwayLater(SecretShape shape) {
        return shape.vendor().equals("echo to login");
    }

    /// The filler shrinks when it is cleaned, so that the windows' edges come into what is shown.
    @Test
    void noWindowsEdgeShowsThem() throws IOException {
        var limits = CaptureLimits.stdout(4000);
        byte[] filler = "\u001b[31m\u001b[0mx".repeat(30).concat("\n").getBytes(UTF_8);
        var random = new Random(3);
        for (SecretShape shape : SecretShape.all(SEED)) {
            if (isGivenAwayLater(shape)) {
                continue;
            }
            byte[] bytes = ("\n" + shape.text() + "\n").getBytes(UTF_8);
            for (int round = 0; round < 6; round++) {
                boolean head = round % 2 == 0;
                int cut = random.nextInt(bytes.length + 1);
                var capture = new OutputCapture(limits, Redactor.on(), SpillTarget.NONE, LineSink.NONE);
                fill(capture, filler, head ? limits.headWindow() - cut : limits.headWindow());
                capture.accept(ByteBuffer.wrap(bytes));
                fill(capture, filler, head ? 3 * limits.tailWindow() : limits.tailWindow() - bytes.length + cut);
                String shown = capture.finish(false).text();

                assertThat(shape.isSeenIn(shown))
                        .as(() -> shape.text() + "\n cut at " + cut + (head ? " by the head:\n" : " by the tail:\n")
                                + shown)
                        .isFalse();
            }
        }
    }

    private static void fill(OutputCapture capture, byte[] filler, int length) {
        int left = length;
        while (left > 0) {
            int part = Math.min(left, filler.length);
            // the last byte is the line's end
            capture.accept(ByteBuffer.wrap(filler, filler.length - part, part));
            left -= part;
        }
    }
}
