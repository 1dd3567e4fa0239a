package dev.talaria.tests.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.testkit.SshServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Counts the round trips of a warm call on a slow connection, see {@link
/// dev.talaria.testkit.SlowLink#roundTrips()}. The connection is slow enough that all effects of one message come
/// back before the next message arrives. The best of a few attempts counts, since a busy machine may be slower.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SshRoundTripTest {
    private static final String NESTED = "from hermes_tools import ping\nfor i in range(5): ping(n=i)\nprint('done')";
    private static final String AT_ONCE = "import asyncio\nfrom hermes_tools import aio\nasync def all():\n"
            + "    await asyncio.gather(*(aio.ping(n=i) for i in range(20)))\nasyncio.run(all())\nprint('done')";

    @TempDir
    private Path folder;

    private static int best(SshServer server, Runnable call) {
        call.run(); // warm
        return IntStream.range(0, 4)
                .map(_ -> {
                    server.link().countAnew();
                    call.run();
                    return server.link().roundTrips();
                })
                .min()
                .orElseThrow();
    }

    @Test
    void aWarmCallIsOneRoundTripAndSoIsEachNestedOne() throws Exception {
        Map<String, Object> schema = Map.of("type", "object", "properties", Map.of("n", Map.of("type", "integer")));
        try (SshServer server = SshServer.start(folder, Duration.ofMillis(100));
                Engine engine = Engine.builder()
                        .settings(Settings.defaults(Folders.below(folder.resolve("home"))))
                        .backend("ssh", server.options())
                        .tool("ping", "Answers.", schema, given -> String.valueOf(given.get("n")))
                        .build()) {

            assertThat(best(server, () -> run(engine, "terminal", "command", "echo hi", "hi")))
                    .isOne();
            assertThat(best(server, () -> run(engine, "execute_code", "code", "print('hi')", "hi\n")))
                    .isOne();
            assertThat(best(server, () -> run(engine, "execute_code", "code", NESTED, "done\n")))
                    .isEqualTo(1 + 5);
            assertThat(best(server, () -> run(engine, "execute_code", "code", AT_ONCE, "done\n")))
                    .isLessThanOrEqualTo(1 + 2);
        }
    }

    private static void run(Engine engine, String tool, String name, String value, String output) {
        assertThat(engine.call(ToolCall.of(tool, Map.of(name, value))).value()).containsEntry("output", output);
    }
}
