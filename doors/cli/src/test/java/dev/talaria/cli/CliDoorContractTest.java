package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.json.Json;
import dev.talaria.testkit.Door;
import dev.talaria.testkit.DoorContract;
import dev.talaria.testkit.JavaCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// The command line: one process for each call. The exit code shows the kind of result, and Ctrl-C cancels.
class CliDoorContractTest extends DoorContract {
    @Override
    protected Door open(Path home, Path work) {
        return new CliDoor(home, work);
    }

    private record CliDoor(Path home, Path work) implements Door {
        @Override
        public Started start(String tool, Map<String, Object> arguments) throws IOException {
            Process process = JavaCommand.in(
                            home,
                            work,
                            JavaCommand.of(JavaCommand.classPath(), Main.class.getName(), "call", tool, "-"))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (OutputStream stdin = process.getOutputStream()) {
                stdin.write(Json.bytes(arguments));
            }
            return new Started() {
                @Override
                public void cancel() throws Exception {
                    Process kill = new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).start();
                    assertThat(kill.waitFor()).isZero();
                }

                @Override
                public Optional<Answer> await() throws Exception {
                    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                    assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
                    assertThat(printed.lines()).as(printed).hasSize(1);
                    Map<String, Object> value = Json.object(printed);
                    return Optional.of(new Answer(kind(process.exitValue(), value), value));
                }
            };
        }

        private static Kind kind(int exit, Map<String, Object> value) {
            return switch (exit) {
                case 0 -> Kind.COMPLETED;
                case 1 -> value.containsKey("exit_code") ? Kind.COMPLETED : Kind.FAILED;
                case 2, 3 -> Kind.FAILED;
                case 4 -> Kind.DENIED;
                case 124 -> Kind.TIMED_OUT;
                case 130 -> Kind.CANCELLED;
                default -> throw new AssertionError("exit code " + exit + ": " + value);
            };
        }

        @Override
        public void close() {}
    }
}
