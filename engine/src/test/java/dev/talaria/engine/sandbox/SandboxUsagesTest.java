package dev.talaria.engine.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Backend;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import dev.talaria.api.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SandboxUsagesTest {
    private static final Usage KNOWN = new Usage(OptionalLong.of(1), OptionalLong.of(2));

    /// A place that is only looked at.
    private record Looked(String name, Function<SandboxSpec, Usage> look) implements Backend {
        @Override
        public Sandbox open(SandboxSpec spec) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Usage usage(SandboxSpec spec) {
            return look.apply(spec);
        }
    }

    private static SandboxRecord record(String id, String backend) {
        Instant now = Instant.now();
        return new SandboxRecord(
                id,
                new SandboxRecord.Origin(backend, Map.of("image", "some"), Optional.empty()),
                "the session",
                SandboxOwner.ofThisProcess(),
                now,
                now,
                Optional.empty(),
                List.of());
    }

    @Test
    void oneThatDoesNotAnswerKeepsNobodyWaiting() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        CompletableFuture<SandboxSpec> asked = new CompletableFuture<>();
        List<Backend> all = List.of(
                new Looked("good", spec -> {
                    asked.complete(spec);
                    return KNOWN;
                }),
                new Looked("stuck", _ -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        ended.countDown();
                    }
                    return KNOWN;
                }),
                new Looked("away", _ -> {
                    throw new SandboxException(ErrorCode.BACKEND_UNAVAILABLE, "away");
                }));
        List<SandboxRecord> records = List.of(
                record("000000000001", "stuck"),
                record("000000000002", "good"),
                record("000000000003", "away"),
                record("000000000004", "gone"));

        Function<String, Optional<Backend>> backends =
                name -> all.stream().filter(one -> one.name().equals(name)).findFirst();
        Duration limit = Duration.ofMillis(100);
        Map<String, Usage> known = SandboxUsages.of(records, backends, limit);
        while (Usage.UNKNOWN.equals(known.get("000000000002")) && limit.toMinutes() < 1) {
            limit = limit.multipliedBy(2); // the machine is busy
            known = SandboxUsages.of(records, backends, limit);
        }

        assertThat(known)
                .containsExactly(
                        Map.entry("000000000001", Usage.UNKNOWN),
                        Map.entry("000000000002", KNOWN),
                        Map.entry("000000000003", Usage.UNKNOWN),
                        Map.entry("000000000004", Usage.UNKNOWN));
        assertThat(asked.join().labels()).containsEntry("talaria.session", "the session");
        assertThat(asked.join().options()).containsEntry("image", "some");
        ended.await(); // it was told to stop
    }
}
