package dev.talaria.engine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ConfigFileTest {
    @TempDir
    Path temp;

    private Path file;

    @BeforeEach
    void file() {
        file = temp.resolve("talaria.yaml");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "# only a comment\n",
                "---\n",
                "---\n...\n",
                "~",
                "script:\n#  mode: strict\n",
                "\uFEFF"
            })
    void emptyFilesSayNothing(String text) throws IOException {
        Files.writeString(file, text);

        assertThat(read()).isEqualTo(new ConfigFile.Content(List.of(), List.of()));
    }

    @Test
    void noFileSaysNothing() {
        assertThat(read()).isEqualTo(new ConfigFile.Content(List.of(), List.of()));
    }

    @Test
    void entriesKnowTheirLines() throws IOException {
        Files.writeString(file, "\uFEFFbackend: local\r\nscript:\r\n  mode: 'strict'\r\ntools:\r\n  - a\r\n  - b\r\n");

        assertThat(read().entries())
                .containsExactly(
                        new ConfigEntry("backend", new WrittenValue.Text("local"), new Origin.UserFile(file, 1)),
                        new ConfigEntry("script.mode", new WrittenValue.Text("strict"), new Origin.UserFile(file, 3)),
                        new ConfigEntry(
                                "tools", new WrittenValue.Items(List.of("a", "b")), new Origin.UserFile(file, 4)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "backend: [local | 1 | the YAML is broken",
                "backend: local\\n\\tcwd: x | 2 | the YAML is broken",
                "backend: \"local | 1 | the YAML is broken",
                "a: b: c | 1 | the YAML is broken",
                "backend: @x | 1 | the YAML is broken",
                "\\nbackend: &a local | 2 | anchors (&name)",
                "backend: *a | 1 | anchors (&name)",
                "backend: !!str local | 1 | tags (!name)",
                "backend: local\\n---\\nbackend: ssh | 2 | a second document",
                "- backend | 1 | does not hold keys",
                "backend | 1 | does not hold keys",
                "? [a]\\n: b | 1 | a key is needed here",
                "tools: [[[[[[[[[[[[[[a]]]]]]]]]]]]]] | 1 | nested too deeply"
            })
    void brokenYamlNamesItsLine(String text, int line, String message) throws IOException {
        Files.writeString(file, text.replace("\\n", "\n").replace("\\t", "\t"));

        assertThat(read().entries()).isEmpty();
        assertThat(read().problems()).singleElement().satisfies(problem -> {
            assertThat(problem.origin()).isEqualTo(new Origin.UserFile(file, line));
            assertThat(problem.message()).contains(message);
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "backend: local\\nbackend: ssh | 2 | stands in line 1 already",
                "script: {mode: strict}\\nscript.mode: project | 2 | stands in line 1 already",
                "\\n\\nbackend: | 3 | has no value",
                "backend: null | 1 | has no value",
                "backend: {a: b} | 1 | a simple value",
                "tools: [a, [b]] | 1 | a simple value",
                "tools: [a, ~] | 1 | a simple value",
                "script: [a] | 1 | a group of keys",
                "backends: {ssh: box} | 1 | a group of keys",
                "backends: {Ssh: {host: a}} | 1 | no such key",
                "<<: {backend: ssh} | 1 | no such key",
                "\"\": x | 1 | no such key"
            })
    void unusableEntriesNameTheirLine(String text, int line, String message) throws IOException {
        Files.writeString(file, text.replace("\\n", "\n"));

        assertThat(read().problems()).singleElement().satisfies(problem -> {
            assertThat(problem.origin()).isEqualTo(new Origin.UserFile(file, line));
            assertThat(problem.message()).contains(message);
            assertThat(problem.fix()).isNotBlank();
        });
    }

    @Test
    void aBillionLaughsAreRefused() throws IOException {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x]\n");
        for (int i = 1; i < 40; i++) {
            bomb.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
        }
        Files.writeString(file, bomb);

        assertThat(onlyMessage()).contains("anchors");
    }

    @Test
    void deepNestingIsRefused() throws IOException {
        Files.writeString(file, "tools: " + "[".repeat(500_000));

        assertThat(onlyMessage()).isNotBlank();
    }

    @Test
    void aHugeFileIsRefused() throws IOException {
        Files.write(file, new byte[10_000_000]);

        assertThat(onlyMessage()).contains("larger than 1 MiB");
    }

    @Test
    void otherEncodingsAreRefusedWithTheLine() throws IOException {
        Files.write(file, "backend: local\ncwd: /Käse\n".getBytes(StandardCharsets.ISO_8859_1));

        assertThat(onlyMessage()).contains("not UTF-8");
        assertThat(read().problems().getFirst().origin()).isEqualTo(new Origin.UserFile(file, 2));
    }

    @Test
    void aFolderIsRefused() throws IOException {
        Files.createDirectory(file);

        assertThat(onlyMessage()).contains("not a regular file");
    }

    @Test
    void aPipeIsNotWaitedFor() throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();

        assertThat(onlyMessage()).contains("not a regular file");
    }

    @Test
    void aDeviceAndALinkToNothingAreRefused() throws IOException {
        Files.createSymbolicLink(file, Path.of("/dev/zero"));
        assertThat(onlyMessage()).contains("not a regular file");

        Files.delete(file);
        Files.createSymbolicLink(file, temp.resolve("nothing"));
        assertThat(onlyMessage()).contains("not a regular file");
    }

    @Test
    void anUnreadableFileIsAProblem() throws IOException {
        Files.writeString(file, "backend: local\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(file), "root reads everything");

        assertThat(onlyMessage()).contains("permission denied");
    }

    @Test
    void noiseNeverThrows() throws IOException {
        Random random = new Random(7);
        String letters = "ab:-[]{},&*!|>'\"%@`#? \n\t~<script.timeout\u0000\u0085\u2028\uFEFF\uD83D\uDE00";
        for (int round = 0; round < 3000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(40); i > 0; i--) {
                text.append(letters.charAt(random.nextInt(letters.length())));
            }
            Files.write(file, text.toString().getBytes(StandardCharsets.UTF_8));

            assertThat(read()).isNotNull();
        }
    }

    private String onlyMessage() {
        assertThat(read().entries()).isEmpty();
        assertThat(read().problems()).hasSize(1);
        return read().problems().getFirst().message();
    }

    private ConfigFile.Content read() {
        return ConfigFile.read(file, line -> new Origin.UserFile(file, line));
    }
}
