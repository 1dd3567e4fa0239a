package dev.talaria.engine.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.talaria.api.CallEvent.Stream;
import dev.talaria.api.Caller;
import dev.talaria.api.ToolCall;
import dev.talaria.engine.clean.Redactor;
import dev.talaria.engine.start.Exit;
import dev.talaria.engine.start.Job;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TellingTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final Notices notices = new Notices(_ -> false);
    private final AtomicLong now = new AtomicLong(1);
    private final Telling telling = new Telling(notices, Redactor.on(), now::get);
    private final CompletableFuture<Exit> exit = new CompletableFuture<>();
    private final ProcessOutput output =
            new ProcessOutput(new RollingOutput(Redactor.on(), Redactor.Mode.CODE), Optional.empty(), Optional.empty());

    @TempDir
    private Path folder;

    /// Nothing runs here: what it prints and how it ends is ours to say.
    private final Job job = new Job() {
        @Override
        public CompletableFuture<Exit> exit() {
            return exit;
        }

        @Override
        public void kill(Duration grace) {}

        @Override
        public void write(ByteBuffer data) {}

        @Override
        public void endInput() {}
    };

    private BackgroundProcess process(Flags flags, Told told) {
        BackgroundProcess.Origin origin = new BackgroundProcess.Origin(
                "proc_0123456789ab",
                ToolCall.of(new Caller("test", "s"), "terminal", Map.of()),
                "make",
                Optional.empty(),
                Instant.now(),
                flags,
                false);
        return new BackgroundProcess(origin, output, new ProcessLog(folder.resolve("log")), job, told);
    }

    private static Flags beating(Duration every) {
        return new Flags(false, true, List.of(), Optional.of(every), false, Map.of());
    }

    private void print(String text) {
        output.accept(Stream.STDOUT, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    private void exits(int code) {
        exit.complete(new Exit(
                OptionalInt.of(code),
                OptionalInt.empty(),
                0,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                OptionalInt.empty(),
                false,
                true));
    }

    private List<Map<String, Object>> until(int count) {
        List<Map<String, Object>> told = new ArrayList<>();
        await().atMost(SOON).until(() -> {
            told.addAll(notices.take("s"));
            return told.size() >= count;
        });
        return told;
    }

    @Test
    void aHeartbeatTellsWhatIsNewAndNothingIfNothingIs() throws Exception {
        Told told = Told.in(folder);
        telling.follow(process(beating(Duration.ofMillis(20)), told));
        print("one\n");
        assertThat(until(1))
                .singleElement()
                .satisfies(beat ->
                        assertThat(beat).containsEntry("type", "heartbeat").containsEntry("output", "one\n"));
        Thread.sleep(200); // many times the interval
        assertThat(notices.take("s")).isEmpty();
        print("two\n");
        assertThat(until(1)).singleElement().satisfies(beat -> assertThat(beat).containsEntry("output", "two\n"));

        exits(3);

        assertThat(until(1))
                .singleElement()
                .satisfies(end ->
                        assertThat(end).containsEntry("type", "completion").containsEntry("exit_code", 3));
        Told later = Told.in(folder);
        assertThat(later.beaten()).isEqualTo(8);
        assertThat(later.end()).isTrue();
    }

    @Test
    void whoeverFindsAProcessAgainGoesOnWhereOthersStopped() {
        Told.in(folder).beat(7, 4);
        print("one\ntwo\n");
        telling.follow(process(beating(Duration.ofMillis(20)), Told.in(folder)));

        assertThat(until(1))
                .singleElement()
                .satisfies(beat -> assertThat(beat)
                        .containsEntry("output", "two\n")
                        .extracting("seq")
                        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.INTEGER)
                        .isGreaterThan(7));
        exits(0);
    }

    @Test
    void anEndThatWasSeenIsNotTold() {
        BackgroundProcess process = process(beating(Duration.ofHours(1)), Told.nothing());
        telling.follow(process);
        process.told().ended();

        exits(0);

        process.ended().join();
        assertThat(notices.take("s")).isEmpty();
    }

    @Test
    void tooManyMatchesInAllAreToldAsSuchAndCountedMeanwhile() {
        BackgroundProcess process = process(beating(Duration.ofHours(1)), Told.nothing());
        for (int i = 0; i < 20; i++) {
            telling.matched(process, "x", "x " + i, 0, i);
        }

        List<Map<String, Object>> told = notices.take("s");
        assertThat(told).hasSize(16);
        assertThat(told.subList(0, 15)).allSatisfy(one -> assertThat(one).containsEntry("type", "watch_match"));
        assertThat(told.getLast()).containsEntry("type", "watch_overflow_tripped");

        now.addAndGet(Duration.ofSeconds(31).toNanos());
        telling.matched(process, "x", "again", 0, 20);

        assertThat(notices.take("s"))
                .satisfiesExactly(
                        one -> assertThat(one)
                                .containsEntry("type", "watch_overflow_released")
                                .containsEntry("suppressed", 5),
                        one -> assertThat(one).containsEntry("output", "again"));
        exits(0);
    }

    @Test
    void fewerMatchesThanThatAreAllTold() {
        BackgroundProcess process = process(beating(Duration.ofHours(1)), Told.nothing());
        for (int i = 0; i < 60; i++) {
            telling.matched(process, "x", "x " + i, 0, i);
            now.addAndGet(Duration.ofSeconds(1).toNanos());
        }

        assertThat(notices.take("s")).hasSize(60);
        exits(0);
    }
}
