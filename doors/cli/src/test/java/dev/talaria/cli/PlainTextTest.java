package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.cli.InProcess.CliResult;
import dev.talaria.cli.log.PlainText;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Foreign text on a terminal")
final class PlainTextTest {
    private static final String EVIL = "echo \u001b]0;owned\u0007\u001b[8m\u009b31m\u202e hidden";
    private static final String OBEYED = "[\\p{Cntrl}&&[^\\n]]|\u202e|\u009b";

    @TempDir
    private Path home;

    private InProcess cli() {
        return new InProcess(home);
    }

    private static void make(Path folder, String file, Map<String, Object> fields) throws IOException {
        Folders.create(folder);
        Files.write(folder.resolve(file), Json.bytes(fields));
    }

    @Test
    @DisplayName("has no effect in the table of processes")
    void processes() throws IOException {
        Map<String, Object> entry =
                new HashMap<>(Map.of("id", "proc_0123456789ab", "session", "s", "command", EVIL, "socket", "/nowhere"));
        entry.put("started", Instant.now().toString());
        List.of("pid", "start", "guardian", "guardian_start", "owner", "owner_start")
                .forEach(number -> entry.put(number, 1));
        make(cli().folders().processes().resolve("kept/proc_0123456789ab"), "entry.json", entry);

        CliResult ended = cli().run("ps");

        assertThat(ended.out()).contains("proc_0123456789ab", "\\u001b]0;owned").doesNotContainPattern(OBEYED);
        assertThat(Json.object(cli().run("ps", "--json").out()).get("processes").toString())
                .contains(EVIL);
    }

    @Test
    @DisplayName("has no effect in the table of sandboxes")
    void sandboxes() throws IOException {
        make(
                cli().folders().sandboxes(),
                "0123456789ab.json",
                Map.of(
                        "id",
                        "0123456789ab",
                        "backend",
                        "local",
                        "session",
                        EVIL,
                        "name",
                        EVIL,
                        "owner",
                        Map.of("pid", 1, "start", 1, "boot", "b", "host", "h", "namespace", "n"),
                        "created",
                        Instant.now().toString(),
                        "leased",
                        Instant.now().toString(),
                        "survivors",
                        List.of()));

        CliResult ended = cli().run("sandboxes");

        assertThat(ended.out()).contains("0123456789ab", "owned").doesNotContainPattern(OBEYED);
    }

    @Test
    @DisplayName("has no effect in messages")
    void messages() {
        assertThat(cli().run("logs", "\u001b[31mx").err())
                .contains("\\u001b[31mx")
                .doesNotContainPattern(OBEYED);
        assertThat(cli().run("\u001b[31mx").err()).doesNotContainPattern(OBEYED);
        assertThat(cli().run("doctor", "--cwd", home + "/\u001b[31m").out()).doesNotContainPattern(OBEYED);
    }

    @Test
    @DisplayName("is escaped as in JSON, and ordinary text stays unchanged")
    void staysReadable() {
        String kept = "Größe 12 µs → fine\tand\n日本語 😀";
        assertThat(PlainText.of(kept)).isEqualTo(kept);
        String odd = "a\u001b\u009b\u200d" + Character.toString(0xE0001);
        assertThat(Json.object(PlainText.of(Json.text(Map.of("k", odd))).getBytes(StandardCharsets.UTF_8)))
                .containsEntry("k", odd);
    }

    @Test
    @DisplayName("follows our own words about a missing folder")
    void theFolderIsGone() throws Exception {
        Path gone = Files.createDirectory(home.resolve("gone"));
        Path launcher = Path.of("../../talaria").toRealPath();
        Process process = new ProcessBuilder(
                        "sh", "-c", "cd \"$1\" && rmdir \"$1\" && exec \"$0\" ps", launcher.toString(), gone.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(said).contains("the folder you are in is not there any more").doesNotContain("java");
    }
}
