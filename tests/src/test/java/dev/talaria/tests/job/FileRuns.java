package dev.talaria.tests.job;

import dev.talaria.api.Sandbox;
import dev.talaria.api.ToolSpec;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.JobSpec.Bounds;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.file.FileLauncher;
import dev.talaria.engine.job.file.FileOptions;
import dev.talaria.engine.tool.terminal.TerminalTool;
import dev.talaria.engine.toolcalls.ConnectionAcceptor;
import dev.talaria.engine.toolcalls.stub.SpecFile;
import dev.talaria.engine.toolcalls.stub.StubModule;
import dev.talaria.engine.toolcalls.stub.StubTransport;
import dev.talaria.testkit.Testbed;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Runs scripts over the file transport, with our stub or an old one.
final class FileRuns {
    static final String TOKEN = "token-of-the-run";

    /// Resolved once: `python3` on the PATH may be a slow shim.
    static final List<String> PYTHON = List.of(Testbed.value("PYTHON").orElse("python3"));

    private static final List<ToolSpec> TOOLS =
            List.of(SpecFile.read(TerminalTool.class, TerminalTool.NAME).forScripts());

    static final String OURS = StubModule.source(TOOLS, TOOLS, StubTransport.FILE);
    static final String OF_OLD = resource("hermes_tools_of_old.py");

    static final FileOptions USUAL = FileOptions.of(16 << 20, false);

    private FileRuns() {}

    static FileLauncher launcher(Sandbox sandbox, ConnectionAcceptor tools, List<String> python) {
        return new FileLauncher(sandbox, tools, python, USUAL, Patience.endless());
    }

    static RecordedOutput start(Sandbox sandbox, ConnectionAcceptor tools, FileOptions options, JobSpec.Script script) {
        return RecordedOutput.start(new FileLauncher(sandbox, tools, PYTHON, options, Patience.endless()), script);
    }

    static RecordedOutput start(Sandbox sandbox, ConnectionAcceptor tools, String code) {
        return start(sandbox, tools, USUAL, script(code));
    }

    static JobSpec.Script script(String code) {
        return script(code, OURS, Bounds.none());
    }

    static JobSpec.Script script(String code, String stubs, Bounds bounds) {
        Map<String, String> environment =
                Map.of("PATH", "/usr/bin:/bin", "HERMES_RPC_TOKEN", TOKEN, "PYTHONPATH", "/no/such/path");
        return new JobSpec.Script(
                code,
                List.of("first", "-second arg"),
                Optional.empty(),
                new JobSpec.Stubs(stubs, "hash"),
                Optional.empty(),
                new JobSpec.Surroundings(environment, false, Optional.empty(), bounds),
                false);
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(FileRuns.class.getResourceAsStream(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
