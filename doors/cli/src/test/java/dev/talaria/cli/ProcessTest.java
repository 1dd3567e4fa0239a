package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.cli.InProcess.CliResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests with a real process: exit codes, signals, protocols.
final class ProcessTest {
    @TempDir
    private Path folder;

    @Test
    void theProcessEndsWithTheScriptsOutputAndExitCode() throws Exception {
        try (CliProcess talaria = run("print('grüße')\nraise SystemExit(5)")) {
            CliResult ended = talaria.end();

            assertThat(ended.exit()).isEqualTo(1);
            assertThat(ended.out()).isEqualTo("grüße\n");
            assertThat(ended.err()).isEqualTo("talaria: Script exited with code 5\n");
        }
    }

    @Test
    void ctrlCInterruptsTheScriptSaysSoAndKeepsItsOutput() throws Exception {
        Path begun = folder.resolve("begun");
        try (CliProcess talaria = run(sleepingAfter(begun))) {
            CliProcess.await(begun);
            talaria.signal("INT");
            CliResult ended = talaria.end();

            assertThat(ended.exit()).isEqualTo(130);
            assertThat(ended.out()).startsWith("partial\n").contains("interrupted");
            assertThat(ended.err()).contains("Interrupting", "Script interrupted: Ctrl-C");
        }
        assertThat(ProcessHandle.of(Long.parseLong(Files.readString(begun)))).isEmpty();
    }

    @Test
    void theSecondCtrlCKillsAtOnce() throws Exception {
        Path begun = folder.resolve("begun");
        String stubborn = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + sleepingAfter(begun);
        try (CliProcess talaria = run(stubborn)) {
            CliProcess.await(begun);
            talaria.signal("INT");
            talaria.awaitErr("Interrupting");
            talaria.signal("INT");
            CliResult ended = talaria.end();

            assertThat(ended.exit()).isEqualTo(130);
            assertThat(ended.err()).contains("Killed.");
        }
        ProcessHandle.of(Long.parseLong(Files.readString(begun)))
                .ifPresent(left -> left.onExit().orTimeout(2, TimeUnit.SECONDS).join());
    }

    @Test
    void mcpSpeaksNothingButProtocolOnStdout() throws Exception {
        try (CliProcess talaria = CliProcess.start(folder, CliProcess.command("mcp"))) {
            String initialize = """
                    {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
                    "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
                    """;
            talaria.stdin().write(initialize.getBytes(StandardCharsets.UTF_8));
            talaria.stdin().flush();
            talaria.awaitOut("serverInfo");
            talaria.stdin().close();
            CliResult ended = talaria.end();

            assertThat(ended.exit()).isZero();
            assertThat(ended.out().lines()).allMatch(line -> line.startsWith("{\"jsonrpc\""));
            assertThat(ended.out()).contains("\"serverInfo\"");
        }
    }

    private CliProcess run(String code) throws IOException {
        Path script = Files.writeString(folder.resolve("script.py"), code);
        return CliProcess.start(folder, CliProcess.command("run", script.toString()));
    }

    private static String sleepingAfter(Path begun) {
        return """
                import os, time
                print("partial", flush=True)
                with open("%1$s.new", "w") as file:
                    file.write(str(os.getpid()))
                os.rename("%1$s.new", "%1$s")
                time.sleep(60)
                """.formatted(begun);
    }
}
