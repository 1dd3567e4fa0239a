package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.ApprovalMode;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The gate judges the lines of a background shell as the shell joins them. The shell is `sh -n`, which reads
/// commands and runs none.
final class TypedLinesTest {
    @TempDir
    private Path folder;

    private Engine engine() {
        Settings settings = Settings.defaults(Folders.below(folder));
        return Engine.builder()
                .settings(settings.withApprovals(settings.approvals().withMode(ApprovalMode.ALLOW)))
                .cwd(folder)
                .build();
    }

    private static String start(Engine engine, String command, boolean pty) {
        Map<String, Object> started = engine.call(
                        ToolCall.of("terminal", Map.of("command", command, "background", true, "pty", pty)))
                .value();
        return String.valueOf(started.get("session_id"));
    }

    private static ToolResult write(Engine engine, String id, String data) {
        return engine.call(ToolCall.of("process", Map.of("action", "write", "session_id", id, "data", data)));
    }

    static List<List<String>> ways() {
        return List.of(
                List.of("rm -rf /\n"),
                List.of("r", "m -rf", " /\n"),
                List.of("rm -rf \\\n", "/\n"),
                List.of("cd /\n", "rm -rf *\n"),
                List.of("X=/\n", "rm -rf $X\n"),
                List.of("alias r='rm -rf'\n", "r /\n"),
                List.of("f() {\n", "$1 -rf $2\n", "}\n", "f rm /\n"),
                List.of("sh <<EOF\n", "rm -rf /\n"),
                List.of("eval '\n", "rm -rf /'\n"),
                List.of("for d in /\n", "do rm -rf $d\n", "done\n"),
                List.of("cd /\n", "# " + "x".repeat(9000) + "\n", "rm -rf *\n"),
                List.of("/\u0015rm -rf \u0019\r"),
                List.of("rmx\u007f -rf /\r"),
                List.of("\u001b[200~rm -rf /\u001b[201~\r"));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void theHardFloorHoldsForWhatTheShellReads(List<String> writes) {
        try (Engine engine = engine()) {
            String id = start(engine, "sh -n", false);
            for (String data : writes.subList(0, writes.size() - 1)) {
                assertThat(write(engine, id, data)).as(data).isInstanceOf(ToolResult.Completed.class);
            }
            assertThat(write(engine, id, writes.getLast())).isInstanceOf(ToolResult.Denied.class);
        }
    }

    @Test
    void aLineIsNeverForgottenBecauseItIsLong() {
        try (Engine engine = engine()) {
            String id = start(engine, "sh -n", false);
            assertThat(write(engine, id, "y".repeat(100_000)))
                    .matches(result -> result instanceof ToolResult.Completed, "is written");
            assertThat(write(engine, id, "y".repeat(100_000)))
                    .matches(result -> result instanceof ToolResult.Denied, "is refused");
        }
    }

    @Test
    void ordinaryLinesAreWritten() throws Exception {
        try (Engine engine = engine()) {
            String id = start(engine, "sh -n", false);
            for (String data : List.of("cd build\n", "ls\n", "rm -rf *\n", "echo 'rm -rf /'\n")) {
                assertThat(write(engine, id, data)).as(data).isInstanceOf(ToolResult.Completed.class);
            }
            Path program = Files.writeString(folder.resolve("psql"), "#!/bin/sh\ncat > /dev/null\n");
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
            String psql = start(engine, "./psql app", false);
            assertThat(write(engine, psql, "\\! rm -rf /\n")).isInstanceOf(ToolResult.Denied.class);
            assertThat(write(engine, psql, "select 1;\n")).isInstanceOf(ToolResult.Completed.class);
        }
    }
}
