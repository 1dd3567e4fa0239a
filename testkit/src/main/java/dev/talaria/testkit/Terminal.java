package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.CallEvent;
import dev.talaria.api.CallListener;
import dev.talaria.api.Caller;
import dev.talaria.api.Cancellation;
import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import java.util.LinkedHashMap;
import java.util.Map;

/// A session that runs commands.
record Terminal(Engine engine, Caller caller) {

    static Terminal fresh(Runs runs) {
        return new Terminal(runs.engine(), Runs.freshSession());
    }

    /// Returns the session of all tests that leave nothing behind: some targets take a second to open
    /// a session.
    static Terminal shared(Runs runs) {
        return new Terminal(runs.engine(), Caller.java());
    }

    /// Runs a command. Its output is complete, to the last line end.
    RunResult run(String command) {
        return run(command, Map.of());
    }

    RunResult run(String command, Map<String, Object> more) {
        return run(command, more, new Cancellation());
    }

    RunResult run(String command, Map<String, Object> more, Cancellation cancellation) {
        Map<String, Object> arguments = new LinkedHashMap<>(Map.of("command", command, "trim", false));
        arguments.putAll(more);
        return new RunResult(engine.call(ToolCall.of(caller, "terminal", arguments), cancellation));
    }

    /// Runs a command that prints `begun`, and cancels it then.
    RunResult cancelOnceBegun(String command, String why) {
        Cancellation cancellation = new Cancellation();
        CallListener listener = event -> {
            if (event instanceof CallEvent.Output output && output.text().contains("begun")) {
                cancellation.cancel(why);
            }
        };
        try (var _ = engine.listen(listener)) {
            return run(command, Map.of(), cancellation);
        }
    }

    /// Runs a command that ends with 0, and returns its output.
    String output(String command) {
        RunResult ran = run(command);
        assertThat(ran.exitCode()).as("%s", ran.value()).isZero();
        return ran.output();
    }
}
