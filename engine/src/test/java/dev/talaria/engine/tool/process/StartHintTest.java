package dev.talaria.engine.tool.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.config.NoticePolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class StartHintTest {
    private static Optional<String> hint(String command, Map<String, Object> arguments) {
        return StartHint.of(command, flags(command, arguments), false);
    }

    private static BackgroundFlags flags(String command, Map<String, Object> arguments) {
        Map<String, Object> all = new HashMap<>(arguments);
        all.put("command", command);
        return BackgroundFlags.of(all);
    }

    @Test
    void aServerIsBetterAskedWhetherItIsReady() {
        assertThat(hint("npm run dev", Map.of("notify", true))).get().asString().contains("notify=[");
        assertThat(hint("npm run dev", Map.of("notify", List.of("ready")))).isEmpty();
        assertThat(hint("make -j4", Map.of("notify", true))).isEmpty();
    }

    @Test
    void whoIsNotToldOfTheEndHasToLook() {
        assertThat(hint("make -j4", Map.of())).get().asString().contains("Nobody will tell you");
        assertThat(hint("python3 -q", Map.of("pty", true))).isEmpty();
        BackgroundFlags untold = flags("make", Map.of("notify", true)).under(NoticePolicy.NONE);
        assertThat(untold.tells()).isFalse();
        assertThat(untold.notes().get("notify_unsupported")).contains("terminal.notices is none");
        assertThat(StartHint.of("make", untold, false)).isEmpty();
    }

    @Test
    void aLoopThatAsksForTheStateOfCiHasBetterWays() {
        String loop = "while ! gh run view 17 --json status | grep -q completed; do sleep 30; done";

        assertThat(hint(loop, Map.of("notify", true))).get().asString().contains("gh run watch");
        assertThat(hint("gh run watch 17", Map.of("notify", true))).isEmpty();
        assertThat(hint("for f in *; do gzip $f; sleep 1; done", Map.of("notify", true)))
                .isEmpty();
    }

    @Test
    void whatReadsItsInputToTheEndGetsNoTerminal() {
        BackgroundFlags flags = flags("gh auth login --with-token", Map.of("pty", true));

        assertThat(flags.pty()).isFalse();
        assertThat(flags.notes().get("pty_note")).contains("process(action=\"close\")");
        assertThat(flags("gh auth login", Map.of("pty", true)).pty()).isTrue();
    }
}
