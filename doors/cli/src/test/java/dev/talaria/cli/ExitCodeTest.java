package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.ToolResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ExitCodeTest {

    @Test
    void everyResultHasItsExitCode() {
        assertThat(exit(new ToolResult.Completed(Map.of("exit_code", 0)))).isZero();
        assertThat(exit(new ToolResult.Completed(Map.of("exit_code", 255)))).isEqualTo(1);
        assertThat(exit(new ToolResult.Completed(Map.of("exit_code", -9)))).isEqualTo(1);
        assertThat(exit(ToolResult.failed(ErrorCode.INVALID_ARGUMENT, "no"))).isEqualTo(2);
        assertThat(exit(ToolResult.failed(ErrorCode.BACKEND_UNAVAILABLE, "no"))).isEqualTo(3);
        assertThat(exit(ToolResult.failed(ErrorCode.PYTHON_MISSING, "no"))).isEqualTo(3);
        assertThat(exit(new ToolResult.Denied("no", Map.of()))).isEqualTo(4);
        assertThat(exit(new ToolResult.AwaitingApproval("a1", Map.of()))).isEqualTo(4);
        assertThat(exit(new ToolResult.TimedOut(Duration.ofSeconds(1), Map.of())))
                .isEqualTo(124);
        assertThat(exit(new ToolResult.Cancelled("Ctrl-C", Map.of()))).isEqualTo(130);
        assertThat(exit(new ToolResult.Backgrounded("p1", Map.of()))).isZero();
    }

    @Test
    void anErrorThatIsNullIsNone() {
        Map<String, Object> value = new HashMap<>();
        value.put("exit_code", 0);
        value.put("error", null);

        assertThat(exit(new ToolResult.Completed(value))).isZero();
    }

    private static int exit(ToolResult result) {
        return ExitCode.of(result).number();
    }
}
