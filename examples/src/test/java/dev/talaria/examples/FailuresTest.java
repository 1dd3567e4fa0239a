package dev.talaria.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.examples.Shell.ShellResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The last step of `./dev/test` decides with its exit code, too.
final class FailuresTest {
    @TempDir
    private Path work;

    private ShellResult of(String... cases) throws IOException {
        Path file = Files.write(work.resolve("cases.txt"), List.of(cases));
        return new Shell(work).run(List.of("dev/failures", file.toString()));
    }

    @Test
    void nothingFailedIsNoFailure() throws IOException {
        ShellResult ended = of("<testcase name=\"fine\" classname=\"some.Test\" time=\"0.1\"/>");

        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void aFailureIsNamedWithItsWords() throws IOException {
        ShellResult ended = of(
                "<testcase name=\"fine\" classname=\"some.Test\" time=\"0.1\"/>",
                "<testcase name=\"sad\" classname=\"some.Test\" time=\"0.2\"><failure message=\"m\" type=\"t\">"
                        + "<![CDATA[it &lt;broke&gt;]]></failure></testcase>");

        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).isEqualTo("FAILED  some.Test  sad  (0.2 s)\nit <broke>\n");
    }
}
