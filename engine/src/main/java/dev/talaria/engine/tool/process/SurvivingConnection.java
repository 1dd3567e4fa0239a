package dev.talaria.engine.tool.process;

import dev.talaria.engine.admin.ProcessConnection;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.output.CaptureLimits;
import dev.talaria.engine.output.OutputCapture;
import dev.talaria.engine.output.Redactor;
import dev.talaria.engine.output.SpillTarget;
import dev.talaria.engine.shell.CommandMasking;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/// A person's connection to a surviving process: it shows new output and sends typed input.
final class SurvivingConnection implements ProcessConnection {
    private final SurvivingJob job;
    private final boolean pty;

    private SurvivingConnection(SurvivingJob job, boolean pty) {
        this.job = job;
        this.pty = pty;
    }

    /// Shows all output raw as it arrives, for the terminal of the process's owner.
    static SurvivingConnection to(SurvivingProcess process, Consumer<byte[]> output) {
        return new SurvivingConnection(
                SurvivingJob.connect(process, (_, data) -> {
                    byte[] bytes = new byte[data.remaining()];
                    data.get(bytes);
                    output.accept(bytes);
                }),
                process.pty());
    }

    /// Shows cleaned lines, beginning with the last ones of the log.
    static SurvivingConnection lines(SurvivingProcess process, int last, Consumer<String> line) {
        OutputCapture lines = new OutputCapture(
                CaptureLimits.stdout(1000),
                Redactor.on(),
                CommandMasking.of(process.command()),
                SpillTarget.NONE,
                line::accept);
        SurvivingJob job =
                SurvivingJob.connect(process, (_, data) -> lines.accept(data), _ -> {}, Map.of("lines", last));
        var _ = job.exit().whenComplete((_, _) -> lines.finish(false));
        return new SurvivingConnection(job, process.pty());
    }

    @Override
    public boolean pty() {
        return pty;
    }

    @Override
    public void type(byte[] data) {
        job.write(ByteBuffer.wrap(data));
    }

    @Override
    public void resize(int rows, int columns) {
        job.resize(new JobSpec.Screen(rows, columns));
    }

    void kill() {
        job.kill(BackgroundProcess.GRACE);
    }

    @Override
    public void onEnd(Runnable action) {
        var _ = job.exit().whenComplete((_, _) -> action.run());
    }

    @Override
    public OptionalInt await() {
        try {
            return OptionalInt.of(job.exit().join().shellCode());
        } catch (CompletionException e) {
            return OptionalInt.empty();
        }
    }

    @Override
    public void close() {
        job.release();
    }
}
