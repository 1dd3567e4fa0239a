package dev.talaria.tests.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.config.Transport;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// An explicit transport is used or refused, never replaced.
class RefusedTransportTest {

    static Stream<RunTarget> places() {
        return Stream.of(RunTargets.bubblewrapClosed(), RunTargets.dockerStream());
    }

    @ParameterizedTest
    @MethodSource("places")
    void udsIsRefusedWhereNoSocketOfThisMachineCanBeReached(RunTarget place, @TempDir Path folder) {
        place.missing().ifPresent(Assumptions::abort);
        Settings settings = Settings.defaults(Folders.below(folder)).withBackend(place.backend(), place.options());

        assertThat(run(settings.withTransport(Transport.UDS)))
                .containsEntry("status", "error")
                .extractingByKey("error")
                .asString()
                .contains("transport uds", "Set transport to auto or stream");
        assertThat(run(settings.withTransport(Transport.AUTO))).containsEntry("output", "hi\n");
    }

    private static Map<String, Object> run(Settings settings) {
        try (Engine engine = Engine.builder().settings(settings).build()) {
            ToolResult result = engine.call(ToolCall.of("execute_code", Map.of("code", "print('hi')")));
            return result.value();
        }
    }
}
