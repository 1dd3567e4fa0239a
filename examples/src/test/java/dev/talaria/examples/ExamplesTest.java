package dev.talaria.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.examples.Shell.ShellResult;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ExamplesTest {
    @TempDir
    private Path work;

    @Test
    void theReportReadsThisRepository() {
        ShellResult ended = new Shell(work).paste("./talaria run examples/repo-report.py");

        assertThat(ended.exit()).as(ended.err()).isZero();
        assertThat(ended.out())
                .containsPattern("^[0-9]+ files, [0-9]+ KiB: [0-9]+ .java")
                .contains("The longest of the 40 largest texts:")
                .containsPattern("\\d lines  \\S+\n")
                .contains("Notes that say TODO: ");
        assertThat(ended.err()).isEmpty();
    }

    @Test
    void theJavaProgramGivesAScriptItsTool() {
        ShellResult ended = new Shell(work)
                .run(List.of(Shell.java(), "-cp", System.getProperty("java.class.path"), "examples/Weather.java"));

        assertThat(ended.exit()).as(ended.err()).isZero();
        assertThat(ended.out()).startsWith("Athens: sunny\nOslo: sunny\n");
    }

    @Test
    void theJavaProgramTalksToAPrompt() {
        ShellResult ended = new Shell(work)
                .run(List.of(Shell.java(), "-cp", System.getProperty("java.class.path"), "examples/Interpreter.java"));

        assertThat(ended.exit()).as(ended.err()).isZero();
        assertThat(ended.out()).startsWith("exited 0\n").contains("\n42\n");
    }
}
