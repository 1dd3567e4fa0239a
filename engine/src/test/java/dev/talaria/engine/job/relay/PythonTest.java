package dev.talaria.engine.job.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.json.JsonMapper;

/// The relay's own tests are in Python, in `src/test/python`; each of them is a test here.
final class PythonTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /// The outcome of a test in Python.
    ///
    /// @param why the failure, or the reason for skipping it
    private record PythonOutcome(String test, String outcome, double seconds, String why) {
        private DynamicTest asTest() {
            return dynamicTest(test, () -> {
                switch (outcome) {
                    case "passed" -> {}
                    case "skipped" -> Assumptions.abort(why);
                    default -> Assertions.fail(test + "\n" + why);
                }
            });
        }
    }

    private Process python;

    @BeforeEach
    void start() throws IOException {
        python = new ProcessBuilder("/usr/bin/python3", "-B", "src/test/python/run.py")
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .start();
    }

    @AfterEach
    void end() {
        python.descendants().forEach(ProcessHandle::destroyForcibly);
        python.destroyForcibly();
    }

    /// Tests arrive as they end. Any other line is an error of the interpreter, and the last test shows it.
    @TestFactory
    Stream<DynamicTest> relay() {
        List<String> complaints = new ArrayList<>();
        Stream<DynamicTest> tests = python.inputReader(StandardCharsets.UTF_8)
                .lines()
                .flatMap(line -> {
                    if (line.startsWith("{")) {
                        return Stream.of(JSON.readValue(line, PythonOutcome.class).asTest());
                    }
                    complaints.add(line);
                    return Stream.empty();
                });
        return Stream.concat(tests, Stream.of(dynamicTest("all tests were run", () -> {
            python.waitFor();
            assertThat(complaints).isEmpty();
        })));
    }
}
