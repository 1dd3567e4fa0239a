package dev.talaria.bench;

import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Limit;
import dev.talaria.engine.config.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Measures a tool call from inside a script, call by call.
final class NestedRead implements Row {
    private static final int CALLS_FOR_EACH_PAIR = 20;
    private static final int CALLS_IN_A_RUN = 500;
    private static final int FIRST_RUNS = 20;
    private static final int WARM_UP_RUNS = 60; // the JIT compilers have settled after some 25 000 calls

    @Override
    public String name() {
        return "nested-read";
    }

    @Override
    public String what() {
        return "one nested read_file of a small file; floor: bare JSON echo over a Unix socket, Python to Java";
    }

    @Override
    public double bound() {
        return 2;
    }

    @Override
    public Measurement measure(BenchContext context) throws Exception {
        Path file = Files.writeString(context.folder().resolve("small.txt"), "one\ntwo\nthree\n");
        Map<String, Object> request =
                Map.of("id", 1, "tool", "read_file", "args", Map.of("path", file.toString()), "token", "0".repeat(32));
        int calls = context.pairs() * CALLS_FOR_EACH_PAIR;
        int inARun = Math.min(calls, CALLS_IN_A_RUN);
        int runs = calls / inARun;
        List<Long> floorTook = new ArrayList<>();
        List<Long> oursTook = new ArrayList<>();
        List<Long> atFirst = new ArrayList<>();
        try (EchoFloor floor = new EchoFloor(context, request);
                Engine engine =
                        Engine.builder().settings(settings(context, inARun)).build()) {
            for (int run = -WARM_UP_RUNS; run < runs; run++) {
                List<Long> echoes = floor.roundTrips(inARun);
                List<Long> reads = reads(engine, file, inARun);
                if (run >= 0) {
                    floorTook.addAll(echoes);
                    oursTook.addAll(reads);
                }
                if (run + WARM_UP_RUNS < FIRST_RUNS) {
                    atFirst.addAll(reads);
                }
            }
        }
        return Measurement.of(Sample.of(floorTook), Sample.of(oursTook))
                .withNotes(List.of(
                        runs * inARun + " calls, " + inARun + " in a run",
                        "the first " + atFirst.size() + " calls of the JVM, not counted: "
                                + Table.time(Sample.of(atFirst).median())));
    }

    private static Settings settings(BenchContext context, int calls) {
        Settings settings = context.settings();
        return settings.withScript(settings.script().withToolCalls(new Limit<>(calls, calls)));
    }

    private static List<Long> reads(Engine engine, Path file, int count) {
        String said = Scripts.run(engine, """
                import time
                from hermes_tools import read_file
                clock = time.perf_counter_ns
                took = []
                for _ in range(%d):
                    began = clock()
                    answer = read_file("%s")
                    took.append(clock() - began)
                    assert "three" in answer["content"], answer
                print(*took, sep="\\n")
                """.formatted(count, file));
        List<Long> took = said.lines().map(Long::valueOf).toList();
        if (took.size() != count) {
            throw new IllegalStateException("The script printed something else: " + said);
        }
        return took;
    }
}
