package dev.talaria.engine.sudo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.CallEvent.Stream;
import dev.talaria.engine.job.Exit;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.Launcher;
import dev.talaria.engine.output.KnownSecrets;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class HidingLauncherTest {
    private final KnownSecrets secrets = new KnownSecrets();
    private final StringBuilder shown = new StringBuilder();

    /// A job that has ended.
    private static final Job ENDED = new Job() {
        @Override
        public CompletableFuture<Exit> exit() {
            return CompletableFuture.completedFuture(Exit.of(Map.of("code", 0)));
        }

        @Override
        public void kill(Duration grace) {}

        @Override
        public void write(ByteBuffer data) {}

        @Override
        public void endInput() {}
    };

    private Job start(Launcher launcher) {
        return new HidingLauncher(launcher, secrets)
                .start(
                        JobSpec.Program.of(List.of("true")),
                        (stream, data) -> shown.append(stream).append(' ').append(UTF_8.decode(data)));
    }

    @Test
    void aPasswordIsMaskedInBothStreamsAndWhatWasHeldBackComesAtTheEnd() {
        secrets.add("swordfish");

        start((_, sink) -> {
            for (Stream stream : Stream.values()) {
                sink.accept(stream, ByteBuffer.wrap("sword".getBytes(UTF_8)));
            }
            assertThat(shown).isEmpty(); // it may be the beginning of the password
            sink.accept(Stream.STDOUT, ByteBuffer.wrap("fish;".getBytes(UTF_8)));
            sink.end();
            return ENDED;
        });

        assertThat(shown).hasToString("STDOUT ***;STDERR sword");
    }

    @Test
    void theJobItselfIsTheLaunchersOwn() {
        assertThat(start((_, _) -> ENDED)).isSameAs(ENDED);
    }
}
