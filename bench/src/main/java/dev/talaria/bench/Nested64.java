package dev.talaria.bench;

import dev.talaria.engine.Engine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Measures many tool calls at once from one script: from before the first call to after the last
/// answer.
final class Nested64 implements Row {
    private static final int CALLS = 64;
    private static final Duration NAP = Duration.ofMillis(50);

    private final String variant;
    private final String script;

    private Nested64(String variant, String script) {
        this.variant = variant;
        this.script = script.formatted(CALLS);
    }

    static Row threads() {
        return new Nested64("threads", """
                import threading, time
                from hermes_tools import nap
                began = time.perf_counter_ns()
                naps = [threading.Thread(target=nap) for _ in range(%d)]
                for one in naps:
                    one.start()
                for one in naps:
                    one.join()
                print(time.perf_counter_ns() - began)
                """);
    }

    static Row asyncio() {
        return new Nested64("asyncio", """
                import asyncio, time
                from hermes_tools import aio
                async def main():
                    began = time.perf_counter_ns()
                    await asyncio.gather(*(aio.nap() for _ in range(%d)))
                    print(time.perf_counter_ns() - began)
                asyncio.run(main())
                """);
    }

    @Override
    public String name() {
        return "nested-64-" + variant;
    }

    @Override
    public String what() {
        return CALLS + " concurrent nested calls (" + variant + ") of a tool that sleeps 50 ms; floor: one such sleep";
    }

    @Override
    public double bound() {
        return 2;
    }

    @Override
    public Measurement measure(BenchContext context) throws Exception {
        try (Engine engine = Engine.builder()
                .settings(context.settings())
                .tool("nap", "Sleeps 50 ms.", Map.of("type", "object", "properties", Map.of()), Nested64::nap)
                .build()) {
            List<Sample> samples = Pairs.alternate(
                    Math.min(10, context.pairs()),
                    context.rounds(5),
                    Pairs.timed(() -> Thread.sleep(NAP)),
                    () -> naps(engine));
            return Measurement.of(samples.get(0), samples.get(1));
        }
    }

    private static Map<String, Object> nap(@Nullable Object arguments) {
        try {
            Thread.sleep(NAP);
            return Map.of("slept", NAP.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }

    private long naps(Engine engine) {
        Map<String, Object> value = Scripts.result(engine, Map.of("code", script, "max_tool_calls", CALLS))
                .value();
        if (!"success".equals(value.get("status"))
                || !(value.get("tool_calls_made") instanceof Number made)
                || made.intValue() != CALLS) {
            throw new IllegalStateException("Not all calls were made: " + value);
        }
        return Long.parseLong(String.valueOf(value.get("output")).strip());
    }
}
