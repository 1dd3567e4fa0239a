package dev.talaria.bench;

import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import java.util.List;
import java.util.Map;

/// Measures a warm `terminal` command that does next to nothing.
final class TerminalEcho implements Row {

    @Override
    public String name() {
        return "terminal-echo";
    }

    @Override
    public String what() {
        return "terminal of `echo hi`, warm, Java API; floor: bash -c 'echo hi' by a bare posix_spawn";
    }

    @Override
    public double bound() {
        return 2;
    }

    @Override
    public Measurement measure(BenchContext context) throws Exception {
        try (Child floor = new Child(
                        List.of(
                                context.python().toString(),
                                context.floor("shell.py").toString()),
                        context);
                Engine engine = Engine.builder().settings(context.settings()).build()) {
            List<Sample> samples = Pairs.alternate(
                    context.warmUp(),
                    context.pairs(),
                    () -> Long.parseLong(floor.ask("")),
                    Pairs.timed(() -> echo(engine)));
            return Measurement.of(samples.get(0), samples.get(1));
        }
    }

    static void echo(Engine engine) {
        ToolResult result = engine.call(ToolCall.of("terminal", Map.of("command", "echo hi")));
        if (!String.valueOf(result.value().get("output")).equals("hi")) {
            throw new IllegalStateException("The command printed something else: " + result.value());
        }
    }
}
