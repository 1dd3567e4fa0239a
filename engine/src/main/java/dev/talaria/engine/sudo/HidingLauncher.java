package dev.talaria.engine.sudo;

import dev.talaria.api.CallEvent.Stream;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.Launcher;
import dev.talaria.engine.job.OutputSink;
import dev.talaria.engine.output.KnownSecrets;
import dev.talaria.engine.output.SecretFilter;
import java.nio.ByteBuffer;

/// Starts jobs, and masks in their output every password that was given to sudo.
record HidingLauncher(Launcher launcher, KnownSecrets secrets) implements Launcher {

    @Override
    public Job start(JobSpec spec, OutputSink sink) {
        SecretFilter out = new SecretFilter(secrets, data -> sink.accept(Stream.STDOUT, data));
        SecretFilter err = new SecretFilter(secrets, data -> sink.accept(Stream.STDERR, data));
        return launcher.start(spec, new OutputSink() {
            @Override
            public void accept(Stream stream, ByteBuffer data) {
                switch (stream) {
                    case STDOUT -> out.accept(data);
                    case STDERR -> err.accept(data);
                }
            }

            @Override
            public void end() {
                out.finish();
                err.finish();
            }
        });
    }
}
