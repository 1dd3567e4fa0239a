package dev.talaria.engine.tool.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.talaria.api.CallEvent;
import dev.talaria.api.CallEvent.Stream;
import dev.talaria.api.Caller;
import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.ToolCall;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.NoticePolicy;
import dev.talaria.engine.config.NoticeSettings;
import dev.talaria.engine.job.Exit;
import dev.talaria.engine.job.GaveUpException;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.output.Redactor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NoticeSenderTest {
    private static final String ID = "proc_0123456789ab";
    private static final Duration SOON = Duration.ofSeconds(60);

    private final Notices notices = new Notices(NoticeSettings.defaults(), _ -> false);
    private final AtomicLong now = new AtomicLong(1);
    private final NoticeSender sender = new NoticeSender(notices, Redactor.on(), now::get);
    private final CompletableFuture<Exit> exit = new CompletableFuture<>();

    @TempDir
    private Path folder;

    private final ProcessOutput output = new ProcessOutput(
            new RollingOutput(Redactor.on(), Redactor.Mode.CODE),
            new ProcessLog(Path.of("log")),
            Optional.empty(),
            Optional.empty());

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

    private static BackgroundProcess.Origin origin(BackgroundFlags flags) {
        return new BackgroundProcess.Origin(
                ID,
                ToolCall.of(new Caller("test", "s"), "terminal", Map.of()),
                "make",
                Optional.empty(),
                Instant.now(),
                flags,
                false);
    }

    private BackgroundProcess process(BackgroundFlags flags, NoticeState told) {
        return new BackgroundProcess(origin(flags), output, job, told);
    }

    private static BackgroundFlags beating(Duration every) {
        return new BackgroundFlags(false, true, List.of(), Optional.of(every), false, Map.of());
    }

    private void print(String text) {
        output.accept(Stream.STDOUT, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    private void exits(int code) {
        exit.complete(Exit.of(Map.of("code", code)));
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
        NoticeState told = NoticeState.in(folder);
        sender.follow(process(beating(Duration.ofMillis(20)), told));
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
        NoticeState later = NoticeState.in(folder);
        assertThat(later.beaten()).isEqualTo(8);
        assertThat(later.end()).isTrue();
    }

    @Test
    void whoeverFindsAProcessAgainGoesOnWhereOthersStopped() {
        NoticeState.in(folder).beat(7, 4);
        print("one\ntwo\n");
        sender.follow(process(beating(Duration.ofMillis(20)), NoticeState.in(folder)));

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
        BackgroundProcess process = process(beating(Duration.ofHours(1)), NoticeState.nothing());
        sender.follow(process);
        process.told().ended();

        exits(0);

        process.ended().join();
        assertThat(notices.take("s")).isEmpty();
    }

    /// Both may come first: the end, or what the waiter does about it.
    @RepeatedTest(20)
    void whoeverWaitsForTheEndIsNotToldToo() throws Exception {
        AtomicInteger pushes = new AtomicInteger();
        Notices pushing = new Notices(NoticeSettings.defaults(), _ -> pushes.incrementAndGet() > 0);
        try (ProcessRegistry registry = new ProcessRegistry(Folders.below(folder), Redactor.on(), pushing)) {
            BackgroundProcess process =
                    registry.take(origin(beating(Duration.ofHours(1))), registry.output(ID, "make"), job);
            CompletableFuture<ProcessEnd> seen = new CompletableFuture<>();
            Thread waiter = Thread.ofPlatform()
                    .start(() -> seen.complete(
                            registry.await(process, new Patience(Deadline.after(SOON), new Cancellation()))));
            await().atMost(SOON).until(() -> waiter.getState() == Thread.State.TIMED_WAITING);

            exits(0);

            assertThat(seen.get().exitCode()).isZero();
            assertThat(pushes).hasValue(0);
        }
    }

    @Test
    void anEndOfOnesOwnMakingIsNotTold() {
        AtomicInteger pushes = new AtomicInteger();
        Notices pushing = new Notices(NoticeSettings.defaults(), _ -> pushes.incrementAndGet() > 0);
        try (ProcessRegistry registry = new ProcessRegistry(Folders.below(folder), Redactor.on(), pushing)) {
            BackgroundProcess process =
                    registry.take(origin(beating(Duration.ofHours(1))), registry.output(ID, "make"), job);

            registry.kill(process);

            assertThat(process.told().claimEnd()).isFalse(); // before anybody could have seen it
            exits(143);

            process.ended().join();
            assertThat(pushes).hasValue(0);
        }
    }

    @Test
    void aWaitThatGivesUpLeavesTheEndToBeTold() {
        try (ProcessRegistry registry = new ProcessRegistry(Folders.below(folder), Redactor.on(), notices)) {
            BackgroundProcess process =
                    registry.take(origin(beating(Duration.ofHours(1))), registry.output(ID, "make"), job);
            Patience none = new Patience(Deadline.after(Duration.ofMillis(1)), new Cancellation());
            assertThatThrownBy(() -> registry.await(process, none)).isInstanceOf(GaveUpException.class);

            exits(0);

            assertThat(until(1))
                    .singleElement()
                    .satisfies(end -> assertThat(end).containsEntry("type", "completion"));
        }
    }

    @Test
    void matchesThatWereNotToldAreSummedUpAtTheEnd() {
        BackgroundProcess process = process(beating(Duration.ofHours(1)), NoticeState.nothing());
        for (int i = 0; i < 20; i++) {
            sender.matched(process, "x", "x " + i, 0, i);
        }
        notices.take("s");

        sender.unwatched(process, 3);

        assertThat(notices.take("s"))
                .singleElement()
                .satisfies(one ->
                        assertThat(one).containsEntry("type", "watch_disabled").containsEntry("suppressed", 8));
        exits(0);
    }

    @Test
    void tooManyMatchesInAllAreToldAsSuchAndCountedMeanwhile() {
        BackgroundProcess process = process(beating(Duration.ofHours(1)), NoticeState.nothing());
        for (int i = 0; i < 20; i++) {
            sender.matched(process, "x", "x " + i, 0, i);
        }

        List<Map<String, Object>> told = notices.take("s");
        assertThat(told).hasSize(16);
        assertThat(told.subList(0, 15)).allSatisfy(one -> assertThat(one).containsEntry("type", "watch_match"));
        assertThat(told.getLast()).containsEntry("type", "watch_overflow_tripped");

        now.addAndGet(Duration.ofSeconds(31).toNanos());
        sender.matched(process, "x", "again", 0, 20);

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
        BackgroundProcess process = process(beating(Duration.ofHours(1)), NoticeState.nothing());
        for (int i = 0; i < 60; i++) {
            sender.matched(process, "x", "x " + i, 0, i);
            now.addAndGet(Duration.ofSeconds(1).toNanos());
        }

        assertThat(notices.take("s")).hasSize(60);
        exits(0);
    }

    @ParameterizedTest
    @CsvSource({
        "ALL, 0, true",
        "ALL, 1, true",
        "FAILURES, 0, false",
        "FAILURES, 1, true",
        "SUCCESS, 0, true",
        "SUCCESS, 1, false",
        "NONE, 1, false",
        "OFF, 1, false"
    })
    void endsAreToldAsTheSettingWants(NoticePolicy policy, int code, boolean isTold) {
        Notices some = new Notices(new NoticeSettings(policy, 5), _ -> false);
        BackgroundProcess process = process(beating(Duration.ofHours(1)), NoticeState.nothing());
        exits(code);
        process.ended().join();

        new NoticeSender(some, Redactor.on(), now::get).end(process);

        assertThat(some.take("s")).hasSize(isTold ? 1 : 0);
    }

    @Test
    void offMeansThatNothingIsToldWhateverItIs() {
        List<CallEvent.Notice> pushed = new ArrayList<>();
        Notices off = new Notices(new NoticeSettings(NoticePolicy.OFF, 5), pushed::add);
        BackgroundProcess process = process(beating(Duration.ofHours(1)), NoticeState.nothing());

        new NoticeSender(off, Redactor.on(), now::get).matched(process, "x", "x", 0, 1);

        assertThat(pushed).isEmpty();
        assertThat(off.take("s")).isEmpty();
        exits(0);
    }

    @Test
    void whatIsMoreThanASessionIsSentComesWithItsNextResult() {
        List<CallEvent.Notice> pushed = new ArrayList<>();
        Notices few = new Notices(new NoticeSettings(NoticePolicy.ALL, 2), pushed::add);
        NoticeSender teller = new NoticeSender(few, Redactor.on(), now::get);
        BackgroundProcess process = process(beating(Duration.ofHours(1)), NoticeState.nothing());
        for (int i = 0; i < 5; i++) {
            teller.matched(process, "x", "x " + i, 0, i);
        }

        assertThat(pushed).hasSize(2);
        assertThat(few.take("s")).hasSize(3);
        exits(0);
    }

    @Test
    void noticesThatAreNotKeptAreCounted() {
        BackgroundProcess process = process(beating(Duration.ofHours(1)), NoticeState.nothing());
        for (int i = 0; i < 103; i++) {
            sender.matched(process, "x", "x " + i, 0, i);
            now.addAndGet(Duration.ofSeconds(1).toNanos());
        }

        List<Map<String, Object>> told = notices.take("s");

        assertThat(told).hasSize(101);
        assertThat(told.getFirst()).containsEntry("type", "notices_dropped").containsEntry("count", 3);
        assertThat(notices.take("s")).isEmpty();
        exits(0);
    }
}
