package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/// The interface between the groups of the run contract and the class that inherits them.
public interface RunSubject {

    Runs runs();

    default boolean has(Behaviour behaviour) {
        return runs().target().has(behaviour);
    }

    /// Returns whether the working folder can be written to. If not, asserts how that fails.
    default boolean writes() {
        if (has(Behaviour.READ_ONLY_FOLDER)) {
            RunResult refused = Terminal.shared(runs()).run("echo x > refused", Map.of("workdir", runs().folder()));
            assertThat(refused.exitCode()).isNotZero();
            assertThat(refused.output()).contains("Read-only file system");
            RunResult written = runs().call("write_file", Map.of("path", runs().folder() + "/refused", "content", "x"));
            assertThat(written.error()).contains("Read-only file system");
        }
        return !has(Behaviour.READ_ONLY_FOLDER);
    }

    /// Returns whether commands keep state for the next one. If not, asserts that a result says so.
    default boolean remembers() {
        if (!has(Behaviour.PYTHON)) {
            Terminal terminal = Terminal.fresh(runs());
            assertThat(terminal.run("cd /; export LEFT=yes").text("fallback"))
                    .contains("no Python")
                    .contains("do not persist between commands");
            assertThat(terminal.output("echo ${LEFT-nothing}; pwd")).isEqualTo("nothing\n" + runs().folder() + "\n");
        }
        return has(Behaviour.PYTHON);
    }

    /// Runs a script into its timeout. A busy machine may need longer until the script has printed enough, so
    /// the timeout is doubled until it has.
    ///
    /// @param enough whether the output shows that the script came as far as the test needs
    default RunResult untilTimeout(String code, Predicate<String> enough) {
        return untilTimeout(timeout -> runs().run(code, timeout).timedOut(), enough);
    }

    /// Runs a call into its timeout as {@link #untilTimeout(String, Predicate)} does.
    static RunResult untilTimeout(Function<Map<String, Object>, RunResult> call, Predicate<String> enough) {
        int seconds = 1;
        RunResult ran = call.apply(Map.of("timeout", seconds));
        while (!enough.test(ran.output()) && seconds < 64) {
            seconds *= 2;
            ran = call.apply(Map.of("timeout", seconds));
        }
        return ran;
    }
}
