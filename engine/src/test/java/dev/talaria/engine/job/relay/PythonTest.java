package dev.talaria.engine.job.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
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

    /// Tests come as they end. A line that is no result is a complaint of the interpreter. The last test shows
    /// the complaints, and fails if Python ended early.
    @TestFactory
    Stream<DynamicTest> relay() {
        List<String> complaints = new ArrayList<>();
        List<String> ran = new ArrayList<>();
        Stream<DynamicTest> tests = python.inputReader(StandardCharsets.UTF_8)
                .lines()
                .flatMap(line -> {
                    if (line.startsWith("{")) {
                        PythonOutcome told = JSON.readValue(line, PythonOutcome.class);
                        ran.add(told.test());
                        return Stream.of(told.asTest());
                    }
                    complaints.add(line);
                    return Stream.empty();
                });
        return Stream.concat(tests, Stream.of(dynamicTest("all tests were run", () -> {
            assertThat(complaints).isEmpty();
            assertThat(python.waitFor()).as("exit status").isZero();
            assertThat(ran).hasSize(written());
        })));
    }

    /// Returns how many tests the files in `src/test/python` have.
    private static int written() throws IOException {
        int tests = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("src/test/python"), "test_*.py")) {
            for (Path file : files) {
                try (Stream<String> lines = Files.lines(file)) {
                    tests += (int) lines.filter(line -> line.startsWith("    def test_"))
                            .count();
                }
            }
        }
        return tests;
    }
}
