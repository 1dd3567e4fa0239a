package dev.talaria.engine.job.file;

import dev.talaria.engine.job.Exit;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.json.JsonFields;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// A script that runs by direct exec. It has ended only when its exchanges are over and its folder is
/// removed.
final class FileJob implements Job {
    private final Job job;
    private final CompletableFuture<Exit> exit = new CompletableFuture<>();
    private volatile boolean killed; // written by kill(), read when the job has ended

    /// Watches `job`.
    ///
    /// @param finish cleans up and returns the record of the end
    FileJob(Job job, Supplier<Map<String, Object>> finish) {
        this.job = job;
        Thread.ofVirtual().name("file-job").start(() -> conclude(finish));
    }

    private void conclude(Supplier<Map<String, Object>> finish) {
        try {
            Exit ended = job.exit().join();
            exit.complete(refine(ended, finish.get()));
        } catch (CompletionException e) {
            var _ = finish.get();
            exit.completeExceptionally(e.getCause() == null ? e : e.getCause());
        } catch (RuntimeException e) {
            exit.completeExceptionally(e);
        }
    }

    /// Returns the exit with the values of the record. The record is exact where the shell's exit
    /// code is not.
    private Exit refine(Exit exit, Map<String, Object> report) {
        Exit told = Exit.of(report);
        boolean known =
                told.status().code().isPresent() != told.status().signal().isPresent()
                        && exit.status().notStarted().isEmpty();
        Exit.Status status = known ? told.status() : exit.status();
        return new Exit(
                new Exit.Status(status.code(), status.signal(), exit.status().notStarted(), lost(exit, report)),
                new Exit.Leftovers(
                        exit.leftovers().ended() + told.leftovers().ended(),
                        Stream.concat(
                                        exit.leftovers().survivors().stream(),
                                        told.leftovers().survivors().stream().limit(100))
                                .distinct()
                                .toList(),
                        exit.leftovers().drainIncomplete(),
                        JsonFields.isTrue(report, "subreaper")),
                told.peak(),
                told.overLimit().filter("processes"::equals),
                exit.shell());
    }

    /// Returns what happened to the recording process. A script that killed it was ended with it, and
    /// its end is not recorded.
    private Optional<String> lost(Exit exit, Map<String, Object> report) {
        boolean untold = !report.containsKey("code") && !report.containsKey("signal");
        boolean orphaned = untold && !killed && exit.status().signal().equals(OptionalInt.of(9));
        return exit.status()
                .lost()
                .or(() -> orphaned
                        ? Optional.of("the process that watched the script was killed; the script was ended with it")
                        : Optional.empty());
    }

    @Override
    public CompletableFuture<Exit> exit() {
        return exit;
    }

    @Override
    public void kill(Duration grace) {
        killed = true;
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
