package dev.talaria.engine.toolcalls.stub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.ToolSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A real Python that can import a generated module.
final class PythonProgram {
    private static final String PYTHON = "/usr/bin/python3";

    private final Path folder;
    private final Map<String, String> environment = new HashMap<>();

    /// @param folder an empty folder for the module and the script
    PythonProgram(Path folder, Collection<ToolSpec> tools, StubTransport transport) throws IOException {
        this.folder = folder;
        Files.writeString(folder.resolve("hermes_tools.py"), StubModule.source(tools, SevenTools.ALL, transport));
        environment.put("PYTHONPATH", folder.toString());
        environment.put("PYTHONDONTWRITEBYTECODE", "1");
    }

    PythonProgram with(String variable, Object value) {
        environment.put(variable, value.toString());
        return this;
    }

    /// Returns what the script prints; fails if it does not end well.
    String run(String script) throws IOException, InterruptedException {
        var file = folder.resolve("script.py");
        Files.writeString(file, script);
        var output = folder.resolve("output.txt");
        var builder = new ProcessBuilder(PYTHON, "-X", "faulthandler", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.environment().putAll(environment);
        var process = builder.start();
        try {
            boolean ended = process.waitFor(2, TimeUnit.MINUTES);
            var printed = Files.readString(output);
            assertThat(ended).as("script hangs; it printed:\n%s", printed).isTrue();
            assertThat(process.exitValue()).as(printed).isZero();
            return printed.strip();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
