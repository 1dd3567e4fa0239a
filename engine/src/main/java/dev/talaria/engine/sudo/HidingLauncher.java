package dev.talaria.engine.sudo;

import dev.talaria.api.CallEvent.Stream;
import dev.talaria.engine.job.Exit;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.Launcher;
import dev.talaria.engine.job.OutputSink;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.output.KnownSecrets;
import dev.talaria.engine.output.SecretFilter;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/// Starts jobs, and masks in their output every password that was given to sudo.
record HidingLauncher(Launcher launcher, KnownSecrets secrets) implements Launcher {

    @Override
    public Job start(JobSpec spec, OutputSink sink) {
        SecretFilter out = new SecretFilter(secrets, data -> sink.accept(Stream.STDOUT, data));
        SecretFilter err = new SecretFilter(secrets, data -> sink.accept(Stream.STDERR, data));
        Job job = launcher.start(spec, (stream, data) -> {
            switch (stream) {
                case STDOUT -> out.accept(data);
                case STDERR -> err.accept(data);
            }
        });
        // The exit completes after the output, so that a waiting thread finds all of it.
        return new HidingJob(job, job.exit().whenComplete((_, _) -> {
            out.finish();
            err.finish();
        }));
    }

    /// A job whose exit completes when its output has been passed on.
    record HidingJob(Job job, CompletableFuture<Exit> exit) implements Job {
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

        @Override
        public boolean offer(ByteBuffer data) {
            return job.offer(data);
        }

        @Override
        public CompletableFuture<OptionalLong> pid() {
            return job.pid();
        }

        @Override
        public Optional<String> cwd() {
            return job.cwd();
        }

        @Override
        public void detach(Patience patience) {
            job.detach(patience);
        }

        @Override
        public Optional<String> killedBy() {
            return job.killedBy();
        }

        @Override
        public Instant endedAt() {
            return job.endedAt();
        }

        @Override
        public void abandon() {
            job.abandon();
        }

        @Override
        public void release() {
            job.release();
        }

        @Override
        public void resize(JobSpec.Screen screen) {
            job.resize(screen);
        }
    }
}
