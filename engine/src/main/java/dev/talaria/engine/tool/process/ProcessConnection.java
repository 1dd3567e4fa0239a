package dev.talaria.engine.tool.process;

import dev.talaria.engine.job.Exit;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.output.CaptureLimits;
import dev.talaria.engine.output.OutputCapture;
import dev.talaria.engine.output.Redactor;
import dev.talaria.engine.output.SpillTarget;
import dev.talaria.engine.shell.CommandMasking;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/// A connection to a process that outlives Talaria, for a person: sees what it prints from now on, types into it.
public final class ProcessConnection implements AutoCloseable {
    private final GuardedJob job;

    private ProcessConnection(GuardedJob job) {
        this.job = job;
    }

    /// Shows everything as it comes, raw: for the terminal of whoever owns the process.
    public static ProcessConnection to(SurvivingProcess kept, Consumer<byte[]> output) {
        return new ProcessConnection(GuardedJob.connect(kept, (_, data) -> {
            byte[] bytes = new byte[data.remaining()];
            data.get(bytes);
            output.accept(bytes);
        }));
    }

    /// Shows cleaned lines, beginning with the last ones that there are.
    public static ProcessConnection lines(SurvivingProcess kept, int last, Consumer<String> line) {
        OutputCapture lines = new OutputCapture(
                CaptureLimits.stdout(1000),
                Redactor.on(),
                CommandMasking.of(kept.command()),
                SpillTarget.NONE,
                line::accept);
        GuardedJob job = GuardedJob.connect(kept, (_, data) -> lines.accept(data), _ -> {}, Map.of("lines", last));
        var _ = job.exit().whenComplete((_, _) -> lines.finish(false));
        return new ProcessConnection(job);
    }

    public void type(byte[] data) {
        job.write(ByteBuffer.wrap(data));
    }

    public void resize(int rows, int columns) {
        job.resize(new JobSpec.Screen(rows, columns));
    }

    public void kill() {
        job.kill(BackgroundProcess.GRACE);
    }

    /// Runs this when the process has ended.
    public void onEnd(Runnable action) {
        var _ = job.exit().whenComplete((_, _) -> action.run());
    }

    /// Waits for its end; empty if nobody knows how it ended.
    public Optional<Exit> await() {
        try {
            return Optional.of(job.exit().join());
        } catch (CompletionException e) {
            return Optional.empty();
        }
    }

    /// Leaves; the process goes on.
    @Override
    public void close() {
        job.release();
    }
}
