package dev.talaria.backends;

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

/// A job and everything it printed.
final class Recorded implements OutputSink {
    private final ByteArrayOutputStream stdout = new ByteArrayOutputStream(); // synchronized by itself
    private final ByteArrayOutputStream stderr = new ByteArrayOutputStream(); // synchronized by itself
    private final Job job;

    private Recorded(Launcher launcher, JobSpec spec) {
        this.job = launcher.start(spec, this);
    }

    static Recorded start(Launcher launcher, JobSpec spec) {
        return new Recorded(launcher, spec);
    }

    @Override
    public void accept(Stream stream, ByteBuffer data) {
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        (stream == Stream.STDOUT ? stdout : stderr).writeBytes(bytes);
    }

    Job job() {
        return job;
    }

    /// Returns how it ended; fails if that takes longer than a minute.
    Exit exit() throws Exception {
        return job.exit().get(60, TimeUnit.SECONDS);
    }

    byte[] bytes() {
        return stdout.toByteArray();
    }

    String out() {
        return stdout.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return stderr.toString(StandardCharsets.UTF_8);
    }
}
