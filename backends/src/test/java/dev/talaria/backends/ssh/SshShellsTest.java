package dev.talaria.backends.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Command;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxSpec;
import dev.talaria.testkit.Finished;
import dev.talaria.testkit.SshServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Accounts with many kinds of login shells, one whose rc file prints and reads all input, and one without a home.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SshShellsTest {
    private static final List<String> ODD = List.of(
            "",
            " ",
            "it's",
            "\"q\"",
            "$HOME `id` $(id)",
            "back\\slash \\\\ \\' \\n \\",
            "line\nbreak\n",
            "*",
            "-n",
            "--",
            "ü€😀",
            "~",
            ";|&<>",
            "\t",
            "!! !x ^a^b",
            "bang! 'quoted' \\!",
            "=041 =0",
            "%d %%",
            "# no",
            "x".repeat(20_000));

    @ParameterizedTest
    @ValueSource(strings = {"dash", "zsh", "fish", "tcsh", "busybox", "noisy", "homeless"})
    void argumentsAndStreamsComeThroughAsTheyAre(String kind) {
        List<String> argv = new ArrayList<>(
                List.of("sh", "-c", "for a; do printf '%s\\000' \"$a\"; done; cat; echo err >&2; kill -9 $$", "sh"));
        argv.addAll(ODD);
        byte[] input = "in\nput".getBytes(StandardCharsets.UTF_8);
        try (Sandbox sandbox = new SshBackend().open(new SandboxSpec(SshServer.account(kind)))) {
            for (Optional<String> cwd : List.of(Optional.<String>empty(), Optional.of("/"))) {
                Finished finished = Finished.of(sandbox, new Command(argv, cwd, Optional.empty()), input);

                List<String> seen = new ArrayList<>(ODD);
                seen.add("in\nput");
                assertThat(List.of(finished.out().split("\0", -1))).isEqualTo(seen);
                assertThat(finished.err()).isEqualTo("err\n");
                assertThat(finished.status()).isEqualTo(128 + 9);
            }
        }
    }
}
