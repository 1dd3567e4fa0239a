package dev.talaria.engine.tool.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.gate.reading.ShellContext;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class InputLineTest {
    private static ToolCall call() {
        return ToolCall.of("process", Map.of());
    }

    @Test
    void twoWritesThatWereJudgedApartAreNotPutTogether() {
        InputLine input = new InputLine(ShellContext.at(Optional::empty));
        ToolCall one = call();
        ToolCall two = call();
        assertThat(input.with(one, "sh", false, "r").text()).isEqualTo("r");
        assertThat(input.with(two, "sh", false, "m -rf x\n").text()).isEqualTo("m -rf x\n");

        assertThat(input.write(one, "r", () -> true)).contains(true);
        assertThat(input.write(two, "m -rf x\n", () -> true)).isEmpty();

        assertThat(input.with(two, "sh", false, "m -rf x\n").text()).isEqualTo("rm -rf x\n");
        assertThat(input.write(two, "m -rf x\n", () -> true)).contains(true);
        assertThat(input.with(call(), "sh", false, "").lines()).isEqualTo("rm -rf x\n");
    }

    @Test
    void whatCouldNotBeWrittenIsNotThere() {
        InputLine input = new InputLine(ShellContext.at(Optional::empty));
        assertThat(input.write(call(), "rm", () -> false)).contains(false);
        assertThat(input.with(call(), "sh", false, "x").text()).isEqualTo("x");
    }
}
