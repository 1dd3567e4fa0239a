package dev.talaria.tests.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The effects of a user's profile on commands.
class ProfileTest {
    @TempDir
    private Path home;

    @Test
    void whatALoginShellHasIsThereFromTheFirstCommand() throws IOException {
        try (Engine engine = engine("""
                echo noise
                export FROM_PROFILE=yes MY_TOKEN=secret PATH=/profile/bin
                alias hello='echo hello'
                twice() { _helper "$1"; _helper "$1"; }
                _helper() { echo "$1"; }
                _completion() { :; }
                shopt -s extglob
                set -u
                umask 027
                """)) {
            assertThat(output(engine, "echo $FROM_PROFILE ${MY_TOKEN-none}; umask; shopt -q extglob && echo on"))
                    .isEqualTo("yes none\n0027\non\n");
            assertThat(output(engine, "hello; twice a; declare -F _completion || echo small"))
                    .isEqualTo("hello\na\na\nsmall\n");
            assertThat(output(engine, "echo \"${not_set}$PATH\""))
                    .startsWith("/")
                    .endsWith(":/profile/bin\n");
        }
    }

    @Test
    void aProfileThatEndsItsShellIsLeftOutAndNamed() throws IOException {
        try (Engine engine = engine("exit 3\n")) {
            Map<String, Object> value = call(engine, "echo works");

            assertThat(value).containsEntry("output", "works\n").containsEntry("exit_code", 0);
            assertThat(String.valueOf(value.get("fallback")))
                    .contains("profile")
                    .contains("3");
        }
    }

    /// pyenv's lock, left behind, delays every later login by a minute.
    @Test
    void aProfileInTheMiddleMayTidyUpWhenTheEngineIsClosed() throws IOException {
        Path lock = home.resolve("lock");
        Thread waiting;
        try (Engine engine = engine("trap 'rm ~/lock' EXIT; touch ~/lock; sleep 600\n")) {
            waiting = Thread.startVirtualThread(() -> call(engine, "echo never"));
            await().until(() -> Files.exists(lock));
        }

        assertThat(lock).doesNotExist();
        assertThat(waiting).satisfies(Thread::join);
    }

    private Engine engine(String profile) throws IOException {
        Files.writeString(home.resolve(".bash_profile"), profile);
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("HOME", home.toString());
        return Engine.builder()
                .settings(Settings.defaults(Folders.below(home.resolve("talaria"))))
                .environment(environment)
                .build();
    }

    private static String output(Engine engine, String command) {
        return String.valueOf(call(engine, command).get("output"));
    }

    private static Map<String, Object> call(Engine engine, String command) {
        return engine.call(ToolCall.of("terminal", Map.of("command", command, "trim", false)))
                .value();
    }
}
