package dev.talaria.bench;

import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import java.util.List;
import java.util.Map;

/// Measures a poll of a background process that prints all the time, against the time that it may
/// take.
final class ProcessPoll implements Row {
    private static final long ALLOWED = 1_000_000;

    @Override
    public String name() {
        return "process-poll";
    }

    @Override
    public String what() {
        return "process(action=\"poll\") of a process that prints a thousand lines a second; floor: the 1 ms it may take";
    }

    @Override
    public double bound() {
        return 1;
    }

    @Override
    public Measurement measure(BenchContext context) throws Exception {
        try (Engine engine = Engine.builder().settings(context.settings()).build()) {
            Object id = engine.call(ToolCall.of(
                            "terminal",
                            Map.of("command", "while :; do seq 100000 100100; sleep 0.1; done", "background", true)))
                    .value()
                    .get("session_id");
            ToolCall poll = ToolCall.of("process", Map.of("action", "poll", "session_id", String.valueOf(id)));
            Sample ours = Pairs.measure(context.warmUp(), context.pairs(), Pairs.timed(() -> engine.call(poll)));
            return Measurement.of(Sample.of(List.of(ALLOWED)), ours);
        }
    }
}
