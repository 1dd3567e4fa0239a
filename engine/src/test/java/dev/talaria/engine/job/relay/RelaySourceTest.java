package dev.talaria.engine.job.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What the relay may not do, as its source shows.
final class RelaySourceTest {

    /// A clock that somebody sets would end or prolong what waits.
    @Test
    void nothingWaitsByTheClockOnTheWall() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/relay"))) {
            List<Path> sources =
                    files.filter(file -> file.toString().endsWith(".py")).toList();

            assertThat(sources)
                    .hasSizeGreaterThan(5)
                    .allSatisfy(source ->
                            assertThat(source).content().doesNotContain("time.time", "datetime.now", "CLOCK_REALTIME"));
        }
    }
}
