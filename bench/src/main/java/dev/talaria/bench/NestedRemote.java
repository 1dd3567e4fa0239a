package dev.talaria.bench;

import dev.talaria.engine.Engine;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Limit;
import dev.talaria.engine.config.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Measures tool calls from a script elsewhere, in the script: each takes one round trip, and so do
/// many at once.
final class NestedRemote implements Row {
    private static final int WARM_UP_CALLS = 25_000; // until the JIT compilers have settled, if calls are that quick
    private static final int MOST_IN_A_RUN = 500;
    private static final Duration ROUND_TRIP = Duration.ofMillis(50);

    private final String name;
    private final String where;
    private final RemoteSandbox.Finder finder;
    private final int together;
    private final double bound;
    private final boolean againstPlain;

    private NestedRemote(
            String name, String where, RemoteSandbox.Finder finder, int together, double bound, boolean againstPlain) {
        this.name = name;
        this.where = where;
        this.finder = finder;
        this.together = together;
        this.bound = bound;
        this.againstPlain = againstPlain;
    }

    static Row docker() {
        return new NestedRemote("nested-docker", "Docker", _ -> RemoteSandbox.docker(), 1, 1.5, true);
    }

    static Row ssh() {
        return new NestedRemote(
                "nested-ssh", "SSH, 50 ms away", context -> RemoteSandbox.farSsh(context, ROUND_TRIP), 1, 1.1, false);
    }

    static Row manyOverSsh() {
        return new NestedRemote(
                "nested-20-ssh",
                "SSH, 50 ms away",
                context -> RemoteSandbox.farSsh(context, ROUND_TRIP),
                20,
                1.3,
                false);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String what() {
        return (together == 1 ? "one nested call" : together + " nested calls at once")
                + " of a tool that does nothing, in "
                + where + "; floor: a line's round trip through a bare exec of cat"
                + (againstPlain ? "; plain: four execs, of which ours is to be under 1 %" : "");
    }

    @Override
    public double bound() {
        return bound;
    }

    @Override
    public Measurement measure(BenchContext context) throws Exception {
        int inARun = againstPlain ? Math.min(MOST_IN_A_RUN, context.pairs()) : 10;
        int runs = Math.max(1, context.pairs() * (againstPlain ? 10 : 1) / inARun);
        int warmUp = againstPlain ? Math.min(4 * runs, WARM_UP_CALLS / inARun) : 2;
        List<Long> floor = new ArrayList<>();
        List<Long> ours = new ArrayList<>();
        try (RemoteSandbox elsewhere = finder.find(context);
                Engine engine = elsewhere
                        .engine(context)
                        .settings(settings(context))
                        .backend(elsewhere.backend(), elsewhere.options())
                        .tool(
                                "nothing",
                                "Does nothing.",
                                Map.of("type", "object", "properties", Map.of()),
                                _ -> Map.of())
                        .build();
                Child echo = new Child(elsewhere.command("cat"), context)) {
            for (int run = -warmUp; run < runs; run++) {
                List<Long> echoes = new ArrayList<>();
                for (int call = 0; call < inARun; call++) {
                    echoes.add(Pairs.timed(() -> echo.ask("echo")).nanos());
                }
                List<Long> calls = calls(engine, inARun);
                if (run >= 0) {
                    floor.addAll(echoes);
                    ours.addAll(calls);
                }
            }
            Measurement measured = Measurement.of(Sample.of(floor), Sample.of(ours));
            return againstPlain ? withPlain(measured, elsewhere, context) : measured;
        }
    }

    private static Measurement withPlain(Measurement measured, RemoteSandbox elsewhere, BenchContext context)
            throws Exception {
        Sample plain = Pairs.measure(1, context.rounds(50), Pairs.timed(() -> elsewhere.fourCommands(context)));
        double share = 100.0 * measured.ours().median() / plain.median();
        String said = "a call takes %.2f %% of four plain execs".formatted(share);
        return measured.withPlain(plain)
                .withNotes(List.of(said))
                .withProblems(share < 1 ? List.of() : List.of(said + ": over 1 %"));
    }

    private static Settings settings(BenchContext context) {
        Settings settings = Settings.defaults(Folders.below(context.folder()));
        return settings.withScript(settings.script().withToolCalls(new Limit<>(MOST_IN_A_RUN, MOST_IN_A_RUN)));
    }

    /// Returns how long each call took, or all calls that were made together.
    private List<Long> calls(Engine engine, int inARun) {
        String said = Scripts.run(engine, """
                import threading, time
                from concurrent.futures import ThreadPoolExecutor
                from hermes_tools import nothing
                clock = time.perf_counter_ns
                together = %d
                took = []
                with ThreadPoolExecutor(together) as pool:
                    for _ in range(%d):
                        began = clock()
                        if together == 1:
                            nothing()
                        else:
                            for one in [pool.submit(nothing) for _ in range(together)]:
                                one.result()
                        took.append(clock() - began)
                print(*took)
                """.formatted(together, inARun));
        return Arrays.stream(said.strip().split(" ")).map(Long::valueOf).toList();
    }
}
