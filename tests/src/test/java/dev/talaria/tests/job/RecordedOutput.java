package dev.talaria.tests.job;

import dev.talaria.api.CallEvent.Stream;
import dev.talaria.engine.job.Exit;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.Launcher;
import dev.talaria.engine.job.OutputSink;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/// A job with its whole output.
public final class RecordedOutput implements OutputSink {
    private final ByteArrayOutputStream stdout = new ByteArrayOutputStream(); // synchronized by itself
    private final ByteArrayOutputStream stderr = new ByteArrayOutputStream(); // synchronized by itself
    private final Job job;

    private RecordedOutput(Launcher launcher, JobSpec spec) {
        this.job = launcher.start(spec, this);
    }

    public static RecordedOutput start(Launcher launcher, JobSpec spec) {
        return new RecordedOutput(launcher, spec);
    }

    @Override
    public void accept(Stream stream, ByteBuffer data) {
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        (stream == Stream.STDOUT ? stdout : stderr).writeBytes(bytes);
    }

    public Job job() {
        return job;
    }

    /// Returns how the job ended. It fails after a minute.
    public Exit exit() throws Exception {
        return job.exit().get(60, TimeUnit.SECONDS);
    }

    public byte[] bytes() {
        return stdout.toByteArray();
    }

    public String out() {
        return stdout.toString(StandardCharsets.UTF_8);
    }

    public String err() {
        return stderr.toString(StandardCharsets.UTF_8);
    }
}
