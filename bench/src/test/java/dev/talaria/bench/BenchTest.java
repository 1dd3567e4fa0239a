package dev.talaria.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Whether the kit works; never how fast anything is.
@DisplayName("Bench")
final class BenchTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    @DisplayName("rows measure the floor and Talaria, and print JSON")
    void rowsAreMeasured() throws Exception {
        run("hello-java", "nested-read", "--pairs", "3", "--json");

        Map<String, Object> said = Json.object(out.toByteArray());
        assertThat(((Map<?, ?>) said.get("machine")).keySet().stream().map(String::valueOf))
                .contains("cores", "kernel", "jdk", "python", "load_after");
        List<?> rows = (List<?>) said.get("rows");
        assertThat(rows).hasSize(2).allSatisfy(row -> {
            Map<?, ?> measured = (Map<?, ?>) row;
            assertThat(measured.get("verdict")).as("%s", measured).isIn("ok", "over");
            assertThat(((Map<?, ?>) measured.get("floor")).get("count")).isIn(3, 60);
            assertThat(((Map<?, ?>) measured.get("ours")).get("count")).isIn(3, 60);
        });
    }

    @Test
    @DisplayName("the gate is compared with its allowed time")
    void gateIsMeasured() throws Exception {
        run("gate", "--pairs", "3", "--json");

        List<?> rows = (List<?>) Json.object(out.toByteArray()).get("rows");
        assertThat(rows)
                .hasSize(2)
                .allSatisfy(row -> assertThat(((Map<?, ?>) row).get("verdict")).isIn("ok", "over"));
    }

    @Test
    @DisplayName("a name selects all rows that begin with it, and an unknown name is a usage error")
    void namesAreChecked() throws Exception {
        assertThat(Arguments.parse(List.of("nested")).choose(List.of(new NestedRead(), Nested64.threads(), new Cold())))
                .extracting(Row::name)
                .containsExactly("nested-read", "nested-64-threads");

        assertThat(run("nosuch")).isEqualTo(2);
        assertThat(run("--pairs", "many")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("There is no row nosuch")
                .contains("--pairs 100");
    }

    @Test
    @DisplayName("a table shows ratios, bounds and verdicts")
    void tableIsShown() {
        Sample floor = Sample.of(List.of(1_000_000L, 1_100_000L, 9_000_000L));
        Sample ours = Sample.of(List.of(2_000_000L, 2_750_000L, 3_000_000L));
        Row row = new HelloJava();
        Table table = new Table(
                Map.of("cores", 2),
                List.of(
                        new Outcome.Done(row, Measurement.of(floor, ours)),
                        new Outcome.Skipped(HelloRemote.ssh(), "no host")));

        assertThat(table.text()).contains("1.10 ms", "2.75 ms", "2.50", "over", "skipped", "no host");
        assertThat(table.markdown())
                .contains("| hello-java | 1.10 ms | 9.00 ms | - | 2.75 ms | 3.00 ms | 2.50 | 2.00 | over |");
        assertThat(table.ok()).isFalse();
    }

    private int run(String... arguments) throws Exception {
        return Main.run(
                List.of(arguments),
                Path.of(".."),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }
}
