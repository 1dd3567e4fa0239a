package dev.talaria.tests.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.testkit.SshServer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Scripts in accounts with all kinds of login shells.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SshLoginTest {

    @ParameterizedTest
    @ValueSource(strings = {"dash", "zsh", "fish", "tcsh", "busybox", "noisy", "homeless"})
    void scriptsSeeWhatALoginBringsAndCommandsWork(String kind, @TempDir Path folder) {
        String script = """
                import os
                from hermes_tools import terminal
                mask = os.umask(0)
                print(oct(mask), os.environ["PATH"].split(":")[0], terminal("echo hi; exit 3")["exit_code"])
                """;
        try (Engine engine = Engine.builder()
                .settings(Settings.defaults(Folders.below(folder)))
                .backend("ssh", SshServer.account(kind))
                .build()) {
            Map<String, Object> result = engine.call(ToolCall.of("execute_code", Map.of("code", script)))
                    .value();

            String expected =
                    kind.equals("homeless") ? "0o22 /usr/local/bin 3\n" : "0o27 /home/talaria-" + kind + "/own-bin 3\n";
            assertThat(result).containsEntry("output", expected);
        }
    }
}
