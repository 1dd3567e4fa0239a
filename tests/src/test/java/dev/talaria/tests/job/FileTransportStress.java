package dev.talaria.tests.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxSpec;
import dev.talaria.backends.local.LocalBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// Makes many overlapping calls over the file transport, and looks for stalls. It is not part of the suite. Run it
/// with `-Dtest=FileTransportStress` after a change of that transport.
class FileTransportStress {
    private static final int RUNS = Integer.getInteger("stress.runs", 20);

    /// Answers after a while, so that answers, requests and exchanges overlap in every way.
    private static Map<String, Object> answer(Map<String, Object> request) {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(80_000_000));
        return Map.of("args", request.getOrDefault("args", Map.of()));
    }

    @Test
    void noCallWaitsForAnExchangeThatOnlyWaits() throws Exception {
        List<Double> slowest = new ArrayList<>();
        try (Sandbox local = new LocalBackend().open(SandboxSpec.empty())) {
            for (int run = 0; run < RUNS; run++) {
                long began = System.nanoTime();
                RecordedOutput recorded = FileRuns.start(local, new Echo(FileTransportStress::answer), """
                        import threading, time
                        from hermes_tools import terminal
                        took = []
                        def work(me):
                            for n in range(20):
                                began = time.monotonic()
                                assert terminal("%d/%d" % (me, n))["args"]["command"] == "%d/%d" % (me, n)
                                took.append(time.monotonic() - began)
                        threads = [threading.Thread(target=work, args=(me,)) for me in range(30)]
                        for t in threads: t.start()
                        for t in threads: t.join()
                        assert len(took) == 600
                        print("%.3f" % max(took))
                        """);
                assertThat(recorded.exit().shellCode()).as(recorded.err()).isZero();
                slowest.add(Double.valueOf(recorded.out().strip()));
                System.out.println("STRESS run " + run + ": slowest call " + slowest.getLast() + " s, all "
                        + Duration.ofNanos(System.nanoTime() - began).toMillis() + " ms");
            }
        }
        assertThat(slowest).allMatch(seconds -> seconds < 5);
    }
}
