package dev.talaria.tests.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxSpec;
import dev.talaria.backends.local.LocalBackend;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.relay.Relay;
import dev.talaria.engine.job.relay.RelayOptions;
import dev.talaria.engine.job.relay.RelayStart;
import dev.talaria.tests.job.Echo;
import dev.talaria.tests.job.RecordedOutput;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Much data goes through a relay's two pipes, into a job and out of it.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RelayFloodTest {
    private Sandbox sandbox;
    private Relay relay;

    @BeforeEach
    void open() {
        sandbox = new LocalBackend().open(SandboxSpec.empty());
        relay = RelayStart.open(sandbox, RelayOptions.standard(List.of("python3")), new Echo());
    }

    @AfterEach
    void close() {
        relay.close();
        sandbox.close();
    }

    private static JobSpec program(boolean stdin, String... argv) {
        JobSpec.Program program = JobSpec.Program.of(List.of(argv));
        return stdin ? program.withInput() : program;
    }

    @Test
    void whatIsPouredIntoAJobArrivesWhileOthersCome() throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        RecordedOutput sum = RecordedOutput.start(relay, program(true, "sha256sum"));
        FutureTask<Boolean> others = new FutureTask<>(this::others);
        Thread.ofVirtual().start(others);
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            byte[] part = new byte[random.nextInt(1, 700_000)];
            random.nextBytes(part);
            digest.update(part);
            sum.job().write(ByteBuffer.wrap(part));
        }
        assertThat(others.get(60, TimeUnit.SECONDS)).isTrue();
        sum.job().endInput();
        sum.exit();

        assertThat(sum.out()).startsWith(HexFormat.of().formatHex(digest.digest()));
    }

    private boolean others() throws Exception {
        boolean whole = true;
        for (int size = 100_000; size < 100_050; size++) {
            RecordedOutput small = RecordedOutput.start(relay, program(true, "cat"));
            small.job().write(ByteBuffer.allocate(size));
            small.job().endInput();
            small.exit();
            whole &= small.bytes().length == size;
        }
        return whole;
    }

    /// The relay must not poll a full pipe, or one whose writer has gone: it once used a whole core for it.
    @ParameterizedTest
    @ValueSource(strings = {"cat /dev/zero", "head -c 1500000 /dev/zero"})
    void aRelayWhoseHostIsBehindWaits(String command) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicLong came = new AtomicLong();
        Job flood = relay.start(program(false, "sh", "-c", "exec " + command), (_, data) -> {
            came.addAndGet(data.remaining());
            begun.countDown();
            await(goOn);
        });
        boolean endless = command.startsWith("cat");
        try {
            await(begun);
            Path stat = Path.of("/proc/" + relay.info().pid() + "/stat");
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> rests(stat));
        } finally {
            goOn.countDown();
            if (endless) {
                flood.kill(Duration.ZERO);
            }
        }
        flood.exit().get(60, TimeUnit.SECONDS);
        assertThat(endless || came.get() == 1_500_000).isTrue();
    }

    /// Returns whether a process does nothing for a second. A process that looks again and again never rests,
    /// however busy the machine is.
    private static boolean rests(Path stat) throws Exception {
        long before = ticks(stat);
        Thread.sleep(Duration.ofSeconds(1));
        return ticks(stat) == before;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /// Returns the processor time of a process, in hundredths of a second.
    private static long ticks(Path stat) throws Exception {
        String all = Files.readString(stat);
        List<String> fields = List.of(all.substring(all.lastIndexOf(')') + 2).split(" ", -1));
        return Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12));
    }
}
