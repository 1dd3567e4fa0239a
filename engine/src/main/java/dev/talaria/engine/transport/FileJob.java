package dev.talaria.engine.transport;

import dev.talaria.engine.start.Exit;
import dev.talaria.engine.start.Job;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/// A script that runs by direct exec. It has ended when its exchanges are over and its folder is removed, too.
final class FileJob implements Job {
    private final Job job;
    private final CompletableFuture<Exit> exit = new CompletableFuture<>();

    /// Watches `job`.
    ///
    /// @param finish cleans up and returns what was written down about the end
    FileJob(Job job, Supplier<Map<String, Object>> finish) {
        this.job = job;
        job.exit().whenComplete((ended, problem) -> Thread.ofVirtual().name("file-job").start(() -> {
            Map<String, Object> report = finish.get();
            if (problem == null) {
                exit.complete(refine(ended, report));
            } else {
                exit.completeExceptionally(problem);
            }
        }));
    }

    /// What was written down is exact where the shell's exit code is not.
    private static Exit refine(Exit exit, Map<String, Object> report) {
        OptionalInt code = number(report, "code");
        OptionalInt signal = number(report, "signal");
        boolean known = code.isPresent() != signal.isPresent() && exit.notStarted().isEmpty();
        return new Exit(
                known ? code : exit.code(),
                known ? signal : exit.signal(),
                exit.leftBehind(),
                exit.survivors(),
                exit.notStarted(),
                exit.lost(),
                "processes".equals(report.get("over_limit")) ? Optional.of("processes") : exit.overLimit(),
                report.get("maxrss") instanceof Number bytes ? OptionalLong.of(bytes.longValue()) : exit.peakMemory(),
                number(report, "processes"),
                exit.drainIncomplete(),
                exit.wholeTree());
    }

    private static OptionalInt number(Map<String, Object> report, String key) {
        return report.get(key) instanceof Integer value ? OptionalInt.of(value) : OptionalInt.empty();
    }

    @Override
    public CompletableFuture<Exit> exit() {
        return exit;
    }

    @Override
    public void kill(Duration grace) {
        job.kill(grace);
    }

    @Override
    public void write(ByteBuffer data) {
        job.write(data);
    }

    @Override
    public void endInput() {
        job.endInput();
    }
}
