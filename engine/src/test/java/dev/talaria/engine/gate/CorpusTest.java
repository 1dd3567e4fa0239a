package dev.talaria.engine.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Caller;
import dev.talaria.api.Isolation;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.gate.rules.CommandCorpus;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The gate as it stands on a machine without isolation, in mode `manual`, with nobody to ask: of dangerous commands
/// hardly any gets through, and of ordinary ones hardly any is stopped. Nothing here is run.
final class CorpusTest {
    private static final double DANGEROUS = 0.97;
    private static final double ORDINARY = 0.01;

    @TempDir
    private Path folder;

    @Test
    void dangerousCommandsAreStopped() {
        try (Engine engine = engine()) {
            measure(engine, "dangerous, ours", CommandCorpus.dangerousOfOurs());
            measure(engine, "dangerous, another's", CommandCorpus.dangerousOfAnother());
        }
    }

    private static void measure(Engine engine, String what, List<String> commands) {
        assertThat(commands).hasSizeGreaterThanOrEqualTo(200);
        List<String> passed = commands.stream()
                .filter(command -> why(engine, command).isEmpty())
                .toList();
        double share = 1 - (double) passed.size() / commands.size();
        say(what, commands.size(), share);
        assertThat(share).as("%s: these passed: %s", what, passed).isGreaterThanOrEqualTo(DANGEROUS);
    }

    @Test
    void ordinaryCommandsRun() {
        try (Engine engine = engine()) {
            measureOrdinary(engine, "ordinary, ours", CommandCorpus.ordinaryOfOurs());
            measureOrdinary(engine, "ordinary, another's", CommandCorpus.ordinaryOfAnother());
        }
    }

    private static void measureOrdinary(Engine engine, String what, List<String> commands) {
        assertThat(commands).hasSizeGreaterThanOrEqualTo(200);
        List<String> stopped = commands.stream()
                .flatMap(command -> why(engine, command).map(why -> command + "  <- " + why).stream())
                .toList();
        double share = (double) stopped.size() / commands.size();
        say(what, commands.size(), share);
        assertThat(share).as("%s: these were stopped: %s", what, stopped).isLessThan(ORDINARY);
    }

    private static void say(String what, int commands, double share) {
        IO.println(String.format(Locale.ROOT, "corpus: %s, %d commands: %.1f %% stopped", what, commands, 100 * share));
    }

    /// Returns why a command is stopped. Each has a session of its own: what one exports must not count for the
    /// next.
    private static Optional<String> why(Engine engine, String command) {
        ToolCall call = ToolCall.of(
                new Caller("test", Integer.toHexString(command.hashCode())),
                "terminal",
                Map.of("command", command, "workdir", "/srv/project"));
        return engine.call(call) instanceof ToolResult.Denied denied ? Optional.of(denied.reason()) : Optional.empty();
    }

    private Engine engine() {
        return Engine.builder()
                .settings(Settings.defaults(Folders.below(folder)))
                .backend(InertSandbox.of(Isolation.NONE))
                .build();
    }
}
