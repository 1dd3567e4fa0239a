package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.json.Json;
import dev.talaria.engine.sandbox.SandboxRecord;
import dev.talaria.testkit.Testbed;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SandboxesCommandTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path home;

    private InProcess.CliResult run(String... more) {
        String[] args = new String[more.length + 1];
        args[0] = "sandboxes";
        System.arraycopy(more, 0, args, 1, more.length);
        return new InProcess(home).run(args);
    }

    private List<?> listed() {
        return (List<?>) Json.object(run("ls", "--json").out()).get("sandboxes");
    }

    @Test
    void oneOfARunningTalariaIsShownAndNotTakenAway() {
        assertThat(run().out()).isEqualTo("There are none.\n");
        try (Engine engine = Engine.builder()
                .settings(Settings.defaults(new InProcess(home).folders()))
                .build()) {
            engine.call(ToolCall.of("terminal", Map.of("command", "true")));

            await().atMost(SOON).until(() -> !listed().isEmpty());
            Map<?, ?> only = (Map<?, ?>) listed().getFirst();
            assertThat((Object) only.get("backend")).isEqualTo("local");
            assertThat((Object) only.get("left_behind")).isEqualTo(false);
            assertThat(((Number) only.get("talaria_pid")).longValue())
                    .isEqualTo(ProcessHandle.current().pid());
            String id = String.valueOf(only.get("id"));
            assertThat(run().out()).contains(id, "session default", "(talaria ");
            assertThat(run("prune").out()).isEqualTo("Removed 0.\n");
            InProcess.CliResult refused = run("rm", id.substring(0, 6));
            assertThat(refused.exit()).isEqualTo(2);
            assertThat(refused.err()).contains("in use by Talaria").contains("--force");
            assertThat(listed()).hasSize(1);
            assertThat(run("rm", id, "--force").out()).isEqualTo("Removed: " + id + "\n");
        }
        assertThat(listed()).isEmpty();
    }

    /// Writes the record of a sandbox whose Talaria has ended.
    private void left(String id, String backend, String pattern) throws IOException {
        Path file = new InProcess(home).folders().sandboxes().resolve(id + ".json");
        Files.writeString(
                file,
                pattern.replaceFirst("\"id\":\"[^\"]*\"", "\"id\":\"" + id + "\"")
                        .replace("\"backend\":\"local\"", "\"backend\":\"" + backend + "\"")
                        .replaceAll("\"pid\":\\d+", "\"pid\":0")
                        .replaceAll("\"start\":\\d+", "\"start\":0"));
    }

    @Test
    void whatAKilledTalariaLeftIsTakenAwayOrSaidWhyNot() throws Exception {
        Folders folders = new InProcess(home).folders();
        String pattern;
        try (Engine engine =
                Engine.builder().settings(Settings.defaults(folders)).build()) {
            engine.call(ToolCall.of("terminal", Map.of("command", "true")));
            await().atMost(SOON).until(() -> !SandboxRecord.all(folders).isEmpty());
            String id = SandboxRecord.all(folders).getFirst().id();
            pattern = Files.readString(folders.sandboxes().resolve(id + ".json"));
        }
        String gone = "0123456789ab";
        String stuck = "ba9876543210";
        left(gone, "local", pattern);
        left(stuck, "no-such-backend", pattern);
        assertThat(run().out()).contains(gone).contains("(left behind)");

        InProcess.CliResult pruned = run("prune");

        assertThat(pruned.exit()).isEqualTo(3);
        assertThat(pruned.out()).contains("Removed 1.").contains(stuck).contains("no backend 'no-such-backend'");
        assertThat(listed()).hasSize(1);
        assertThat(run("rm", stuck).exit()).isEqualTo(3);
    }

    @Test
    void wrongUsageIsSaid() {
        assertThat(run("list").err()).contains("no 'sandboxes list'").contains("ls, rm, prune");
        assertThat(run("rm").err()).contains("name the sandbox");
        assertThat(run("rm", "beef00").err()).contains("no sandbox, or more than one");
        assertThat(run("ls", "beef00").err()).contains("takes no ID");
        assertThat(run("prune", "--force").err()).contains("--force is for");
        assertThat(run("--help").out()).contains("talaria sandboxes rm 3f2a9c");
    }

    private Map<?, ?> only() {
        await().atMost(SOON).until(() -> listed().size() == 1 && ((Map<?, ?>) listed().getFirst()).containsKey("name"));
        return (Map<?, ?>) listed().getFirst();
    }

    @Test
    void whatOneOfAnotherProcessTakesUpIsShownUnlessItsEngineDoesNotAnswer() throws Exception {
        Optional<String> image = Testbed.value("DOCKER_IMAGE");
        Assumptions.assumeTrue(image.isPresent(), () -> Testbed.whyMissing("docker"));
        Path client = Files.writeString(home.resolve("docker"), """
                #!/bin/sh
                [ -e "$0.stuck" ] && exec sleep 600
                exec docker "$@"
                """);
        Files.setPosixFilePermissions(client, PosixFilePermissions.fromString("rwx------"));
        List<String> command = CliProcess.command(
                "sh",
                "--backend",
                "docker",
                "--backend-option",
                "image=" + image.get(),
                "--backend-option",
                "binary=" + client);
        try (CliProcess talaria = CliProcess.start(home, command)) {
            Writer lines = new OutputStreamWriter(talaria.stdin(), StandardCharsets.UTF_8);
            lines.write("head -c 3000000 /dev/zero > /usr/local/big && echo written || echo not\n");
            lines.flush();
            talaria.awaitOut("written");

            // On a busy machine the engine may answer late.
            Map<?, ?> one = await().atMost(Duration.ofSeconds(60))
                    .until(this::only, now -> now.containsKey("disk_bytes") && now.containsKey("memory_bytes"));
            assertThat(((Number) one.get("memory_bytes")).longValue()).isGreaterThan(1_000_000);
            assertThat(((Number) one.get("disk_bytes")).longValue()).isBetween(3_000_000L, 30_000_000L);
            Pattern shown = Pattern.compile("  memory \\d[\\d.]* [kMG]B  disk [3-9]\\.\\d MB  session default");
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> shown.matcher(run().out()).find());

            Path stuck = Files.createFile(home.resolve("docker.stuck"));
            assertThat(run().out()).contains("  memory -  disk -  session default");
            assertThat(only().containsKey("disk_bytes")).isFalse();
            Files.delete(stuck);
            lines.close();
            assertThat(talaria.end().exit()).isZero();
        }
        assertThat(listed()).isEmpty();
    }

    @Test
    void whatIsolatedCommandsWroteIsShown() {
        Assumptions.assumeTrue(Testbed.value("BWRAP").isPresent(), Testbed.whyMissing("bwrap"));
        try (Engine engine = Engine.builder()
                .settings(Settings.defaults(new InProcess(home).folders()))
                .backend("bubblewrap", Map.of())
                .cwd(home)
                .build()) {
            engine.call(ToolCall.of("terminal", Map.of("command", "head -c 2000000 /dev/zero > /tmp/big")));

            Map<?, ?> one =
                    await().atMost(Duration.ofSeconds(60)).until(this::only, now -> now.containsKey("disk_bytes"));
            assertThat(((Number) one.get("disk_bytes")).longValue()).isGreaterThanOrEqualTo(2_000_000);
        }
        // Nothing had to be spilled, so there is no spill file.
        assertThat(new InProcess(home).folders().spills()).isEmptyDirectory();
    }
}
