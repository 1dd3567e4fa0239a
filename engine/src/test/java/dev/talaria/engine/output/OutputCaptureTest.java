package dev.talaria.engine.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputCaptureTest {

    private static final String ESC = "\u001b";
    private static final String NOTICE = "\n\n... [OUTPUT TRUNCATED - %,d bytes omitted out of %,d total] ...\n\n";
    private static final CaptureLimits STDOUT = CaptureLimits.stdout(50_000);

    @TempDir
    Path folder;

    private static CapturedOutput capture(CaptureLimits limits, byte[] stream, boolean failed) {
        var capture = new OutputCapture(limits, Redactor.on(), SpillTarget.NONE, LineSink.NONE);
        capture.accept(ByteBuffer.wrap(stream));
        return capture.finish(failed);
    }

    private Spills.SessionSpills spills() {
        SpillLimits limits = new SpillLimits(64L << 20, 1L << 30, Duration.ofDays(7));
        return new Spills(folder.resolve("spills"), limits, InstantSource.system()).session();
    }

    private static CapturedOutput stdout(String stream) {
        return capture(STDOUT, stream.getBytes(UTF_8), false);
    }

    @Test
    void shortOutputIsShownWhole() {
        CapturedOutput shown = stdout("hello\nwörld 🙂\n");

        assertThat(shown.text()).isEqualTo("hello\nwörld 🙂\n");
        assertThat(shown.truncated()).isFalse();
        assertThat(shown.bytesTotal()).isEqualTo(18);
        assertThat(shown.bytesCaptured()).isEqualTo(18);
        assertThat(shown.bytesOmitted()).isZero();
    }

    @Test
    void nothingPrintedIsNothingShown() {
        CapturedOutput shown = new OutputCapture(STDOUT, Redactor.on(), SpillTarget.NONE, LineSink.NONE).finish(false);

        assertThat(shown.text()).isEmpty();
        assertThat(shown.truncated()).isFalse();
        assertThat(shown.bytesTotal()).isZero();
    }

    @Test
    void exactlyTheCapIsWholeAndOneByteMoreIsNot() {
        assertThat(stdout("x".repeat(50_000)).truncated()).isFalse();

        CapturedOutput shown = stdout("x".repeat(50_001));

        assertThat(shown.truncated()).isTrue();
        assertThat(shown.bytesOmitted()).isEqualTo(1);
    }

    @Test
    void longOutputShowsExactlyItsEnds() {
        for (int total : new int[] {100_000, 200_000, 200_001, 1_000_000, 5_000_000}) {
            CapturedOutput shown = stdout("x".repeat(total));

            assertThat(shown.text())
                    .isEqualTo("x".repeat(20_000) + NOTICE.formatted(total - 50_000, total) + "x".repeat(30_000));
            assertThat(shown.bytesCaptured()).isEqualTo(50_000);
            assertThat(shown.bytesOmitted()).isEqualTo(total - 50_000);
            assertThat(shown.bytesTotal()).isEqualTo(total);
        }
    }

    @Test
    void oneLongLineWithALineEndKeepsItsTail() {
        assertThat(stdout("x".repeat(1_000_000) + "\n").text()).endsWith("x".repeat(29_999) + "\n");
    }

    @Test
    void countsOfPlainTextAreExactWhateverItsSizeAndCap() {
        var random = new Random(3);
        for (int round = 0; round < 400; round++) {
            var limits = new CaptureLimits(10 + random.nextInt(3000), random.nextBoolean());
            boolean failed = random.nextBoolean();
            String text = plainText(random, random.nextInt(40_000));
            byte[] bytes = text.getBytes(UTF_8);

            CapturedOutput shown = capture(limits, bytes, failed);

            assertThat(shown.bytesTotal()).isEqualTo(bytes.length);
            assertThat(shown.truncated()).isEqualTo(bytes.length > limits.cap());
            if (shown.truncated()) {
                boolean tailOnly = failed && !limits.headTail();
                String notice = NOTICE.formatted(shown.bytesOmitted(), shown.bytesTotal());
                String[] ends = (tailOnly ? "\n\n" + shown.text() : shown.text()).split(Pattern.quote(notice), -1);
                assertThat(ends).hasSize(2);
                assertThat(text).startsWith(ends[0]).endsWith(ends[1]);
                int headBytes = ends[0].getBytes(UTF_8).length;
                int tailBytes = ends[1].getBytes(UTF_8).length;
                assertThat(shown.bytesCaptured()).isEqualTo(headBytes + tailBytes);
                int tailShare = tailOnly ? limits.cap() : limits.tailShare();
                assertThat(headBytes)
                        .isBetween(tailOnly ? 0 : limits.headShare() - 3, tailOnly ? 0 : limits.headShare());
                assertThat(tailBytes).isBetween(tailShare - 3, tailShare);
            }
        }
    }

    private static String plainText(Random random, int length) {
        String[] words = {"word", "Wörter", "日本", "🙂", " ", " ", "\n", "x", "\t", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxx"};
        int lineRate = random.nextInt(3);
        var text = new StringBuilder();
        while (text.length() < length) {
            String word = words[random.nextInt(words.length)];
            boolean dropped = (word.equals("\n") && lineRate == 0) || (word.equals(" ") && lineRate == 1);
            text.append(dropped ? "y" : word);
        }
        return text.toString();
    }

    @Test
    void anyChunkingGivesTheSame() {
        var random = new Random(5);
        for (int round = 0; round < 150; round++) {
            var limits = new CaptureLimits(50 + random.nextInt(1500), random.nextBoolean());
            byte[] stream = messyStream(random, random.nextInt(20_000));
            boolean failed = random.nextBoolean();
            List<String> wholeLines = new ArrayList<>();
            List<String> pieceLines = new ArrayList<>();

            CapturedOutput whole = captured(limits, failed, List.of(stream), wholeLines);
            CapturedOutput pieces = captured(limits, failed, split(random, stream), pieceLines);

            assertThat(pieces).isEqualTo(whole);
            assertThat(pieceLines).isEqualTo(wholeLines);
            assertThat(whole.bytesCaptured() + whole.bytesOmitted()).isEqualTo(whole.bytesTotal());
            assertThat(whole.bytesCaptured()).isBetween(0L, whole.bytesTotal());
        }
    }

    private static CapturedOutput captured(
            CaptureLimits limits, boolean failed, List<byte[]> chunks, List<String> lines) {
        var capture = new OutputCapture(limits, Redactor.on(), SpillTarget.NONE, lines::add);
        chunks.forEach(chunk -> capture.accept(ByteBuffer.wrap(chunk)));
        return capture.finish(failed);
    }

    private static byte[] messyStream(Random random, int length) {
        String[] pieces = {
            "plain text ",
            "\n",
            "\r",
            "\r\n",
            "\b",
            ESC + "[31m",
            ESC + "[0m",
            ESC + "]0;title\u0007",
            ESC + "[K",
            "日本語",
            "🙂",
            "ghp_Ab1Cd2Ef3Gh4Ij5Kl6",
            "-----BEGIN PRIVATE KEY-----\n",
            "-----END PRIVATE KEY-----\n",
            " ",
            "x".repeat(40)
        };
        var out = new ByteArrayOutputStream();
        while (out.size() < length) {
            byte[] piece = pieces[random.nextInt(pieces.length)].getBytes(UTF_8);
            out.write(piece, 0, random.nextInt(20) == 0 ? random.nextInt(piece.length + 1) : piece.length);
        }
        return out.toByteArray();
    }

    private static List<byte[]> split(Random random, byte[] stream) {
        var chunks = new ArrayList<byte[]>();
        for (int from = 0; from < stream.length; ) {
            int to = Math.min(stream.length, from + 1 + random.nextInt(random.nextBoolean() ? 3 : 3000));
            chunks.add(Arrays.copyOfRange(stream, from, to));
            from = to;
        }
        return chunks;
    }

    @Test
    void edgesIntroduceNoReplacementCharacter() {
        for (int shift = 0; shift < 4; shift++) {
            CapturedOutput shown = capture(
                    new CaptureLimits(100, true), ("x".repeat(shift) + "🙂".repeat(5000)).getBytes(UTF_8), false);

            assertThat(shown.text()).doesNotContain("\ufffd");
        }
    }

    @Test
    void malformedBytesAreReplaced() {
        byte[] bytes = {'a', (byte) 0xff, 'b', (byte) 0xe2, (byte) 0x82};

        assertThat(capture(STDOUT, bytes, false).text()).isEqualTo("a\ufffdb\ufffd");
    }

    @Test
    void progressThatFitsAfterCleaningIsNotTruncated() {
        var stream = new StringBuilder();
        for (int i = 0; i <= 9_000; i++) {
            stream.append("\rprogress ").append(i).append('%');
        }

        CapturedOutput shown = stdout(stream + "\ndone\n");

        assertThat(shown.text()).isEqualTo("progress 9000%\ndone\n");
        assertThat(shown.truncated()).isFalse();
        assertThat(shown.bytesCaptured()).isEqualTo(stream.length() + 6);
    }

    @Test
    void changedLinesCountInFullWhenShown() {
        String line = ESC + "[32m" + "g".repeat(90) + ESC + "[0m\n";

        CapturedOutput shown = stdout(line.repeat(1000));

        assertThat(shown.truncated()).isTrue();
        // 20 000 shown bytes touch 220 lines of 91, 30 000 touch 330
        assertThat(shown.bytesCaptured()).isEqualTo((220L + 330) * line.length());
    }

    @Test
    void aFailedRunsErrorsKeepTheirTail() {
        String stream = "warning\n".repeat(20_000) + "Traceback\nValueError: x\n";

        CapturedOutput failed = capture(CaptureLimits.stderr(10_000), stream.getBytes(UTF_8), true);
        CapturedOutput fine = capture(CaptureLimits.stderr(10_000), stream.getBytes(UTF_8), false);

        assertThat(failed.text()).startsWith("... [OUTPUT TRUNCATED").endsWith("ValueError: x\n");
        assertThat(failed.bytesCaptured()).isEqualTo(10_000);
        assertThat(fine.text()).startsWith("warning\n").endsWith("ValueError: x\n");
        assertThat(fine.bytesCaptured()).isEqualTo(10_000);
    }

    @Test
    void noSecretIsHalfShownAtAnEdge() {
        String token = "sk-proj-" + "q7Zw".repeat(12);
        String key =
                "-----BEGIN PRIVATE KEY-----\n" + ("q7Zw".repeat(16) + "\n").repeat(12) + "-----END PRIVATE KEY-----\n";
        var limits = new CaptureLimits(500, true);
        for (String secret : List.of(token, "Authorization: Bearer " + "q7Zw".repeat(12), key)) {
            for (String filler : List.of(ESC + "[1m" + ESC + "[0m ", ESC + "[1m" + ESC + "[0m\n")) {
                for (int shift = 0; shift < 900; shift += 3) {
                    String stream = " ".repeat(shift % 9) + filler.repeat(shift / 9) + secret + filler.repeat(600);
                    String mirrored = filler.repeat(600) + secret + filler.repeat(shift / 9) + " ".repeat(shift % 9);

                    assertThat(capture(limits, stream.getBytes(UTF_8), false).text())
                            .doesNotContain("q7Zwq7Zw");
                    assertThat(capture(limits, mirrored.getBytes(UTF_8), false).text())
                            .doesNotContain("q7Zwq7Zw");
                }
            }
        }
    }

    @Test
    void noSequenceIsHalfShownAtAnEdge() {
        var limits = new CaptureLimits(500, true);
        String title = ESC + "]0;zqzq zqzq zqzq\u0007";
        for (int shift = 0; shift < 60; shift++) {
            String stream = "a".repeat(shift) + title.repeat(400) + "b".repeat(shift);

            assertThat(capture(limits, stream.getBytes(UTF_8), false).text()).doesNotContain("zqzq");
        }
    }

    @Test
    void theFullRawStreamIsSpilled() throws IOException {
        var session = spills();
        for (int total : new int[] {50_001, 199_999, 200_000, 200_001, 700_000}) {
            byte[] stream = new byte[total];
            new Random(total).nextBytes(stream);
            var capture = new OutputCapture(STDOUT, Redactor.on(), session, LineSink.NONE);
            split(new Random(1), stream).forEach(chunk -> capture.accept(ByteBuffer.wrap(chunk)));

            CapturedOutput shown = capture.finish(false);

            Path file = shown.spill().orElseThrow();
            assertThat(Files.readAllBytes(file)).isEqualTo(stream);
            assertThat(shown.spillNote()).isEmpty();
            assertThat(session.owns(file)).isTrue();
        }
    }

    @Test
    void whatIsShownWholeIsNotSpilled() {
        var capture = new OutputCapture(STDOUT, Redactor.on(), spills(), LineSink.NONE);
        capture.accept(ByteBuffer.wrap(new byte[] {'h', 'i'}));

        assertThat(capture.finish(false).spill()).isEmpty();
        assertThat(folder.resolve("spills")).doesNotExist();
    }

    @Test
    void chunksMayBeDirectReadOnlyAndLarge() {
        var capture = new OutputCapture(STDOUT, Redactor.on(), SpillTarget.NONE, LineSink.NONE);
        ByteBuffer chunk = ByteBuffer.allocateDirect(1 << 20);
        while (chunk.hasRemaining()) {
            chunk.put((byte) 'x');
        }
        for (int i = 0; i < 20; i++) {
            ByteBuffer view = chunk.asReadOnlyBuffer().flip();
            capture.accept(view);
            assertThat(view.hasRemaining()).isFalse();
        }

        assertThat(capture.finish(false).bytesOmitted()).isEqualTo((20L << 20) - 50_000);
    }

    @Test
    void bytesAfterTheEndAreIgnored() {
        var capture = new OutputCapture(STDOUT, Redactor.on(), SpillTarget.NONE, LineSink.NONE);
        capture.finish(false);

        capture.accept(ByteBuffer.wrap(new byte[10]));
        capture.close();

        assertThat(capture.finish(false).bytesTotal()).isZero();
    }

    @Test
    void aStuckListenerDoesNotHoldBackTheResult() throws InterruptedException {
        var stuck = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var capture = new OutputCapture(STDOUT, Redactor.on(), SpillTarget.NONE, _ -> {
            stuck.countDown();
            awaitUninterruptibly(release);
        });
        Thread reader = Thread.ofVirtual().start(() -> capture.accept(ByteBuffer.wrap("hi\n".getBytes(UTF_8))));
        stuck.await();

        assertThat(capture.finish(false).text()).isEqualTo("hi\n");

        release.countDown();
        reader.join();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void settingsAreMaskedWhenTheOutputMayHoldThem() {
        var lines = new ArrayList<String>();
        var capture = new OutputCapture(STDOUT, Redactor.on(), Redactor.Mode.FULL, SpillTarget.NONE, lines::add);
        capture.accept(ByteBuffer.wrap("DB_PASSWORD=hunter2\n".getBytes(UTF_8)));

        assertThat(capture.finish(false).text()).isEqualTo("DB_PASSWORD=***\n");
        assertThat(lines).containsExactly("DB_PASSWORD=***");
    }

    @Test
    void offShowsSecretsButNoSequences() {
        var capture = new OutputCapture(new CaptureLimits(100, true), Redactor.off(), SpillTarget.NONE, LineSink.NONE);
        capture.accept(
                ByteBuffer.wrap((ESC + "[1mghp_Ab1Cd2Ef3Gh4Ij5Kl6 ").repeat(500).getBytes(UTF_8)));

        assertThat(capture.finish(false).text())
                .startsWith("ghp_Ab1Cd2Ef3Gh4Ij5Kl6 ")
                .doesNotContain(ESC);
    }
}
