package dev.talaria.bench;

import dev.talaria.engine.Engine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Measures many runs, some at a time: how long until the last result, and what is left behind.
final class Batch implements Row {
    private static final int RUNS = 500;
    private static final int AT_A_TIME = 50;
    private static final String WHERE = "import os; print(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))";

    @Override
    public String name() {
        return "batch";
    }

    @Override
    public String what() {
        return RUNS + " runs, " + AT_A_TIME + " at a time, leaving nothing behind; floor: " + RUNS
                + " fork floors / cores";
    }

    @Override
    public double bound() {
        return 1.5;
    }

    @Override
    public Measurement measure(BenchContext context) throws Exception {
        int cores = Runtime.getRuntime().availableProcessors();
        try (ForkFloor floor = new ForkFloor(context)) {
            rehearse(context);
            Census before = Census.take(List.of());
            List<String> problems = new ArrayList<>();
            List<Path> left = new ArrayList<>();
            List<Sample> samples;
            try (Engine engine = Engine.builder().settings(context.settings()).build()) {
                Path staging = Path.of(Scripts.run(engine, WHERE).strip());
                List<Path> folders = List.of(staging, context.folder());
                left.add(staging);
                runAll(engine);
                Census busy = Census.take(folders);
                samples = Pairs.alternate(
                        0, context.rounds(100), () -> floors(floor) / cores, Pairs.timed(() -> runAll(engine)));
                Census.leaks(busy, folders, AT_A_TIME).forEach(leak -> problems.add("after the runs: " + leak));
            }
            Census.leaks(before, left, 0).forEach(leak -> problems.add("after closing the engine: " + leak));
            return Measurement.of(samples.get(0), samples.get(1))
                    .withNotes(
                            problems.isEmpty() ? List.of("no process, thread, file or descriptor leaked") : List.of())
                    .withProblems(problems);
        }
    }

    /// Starts threads that the JDK keeps for good, so that they do not count as leaks.
    private static void rehearse(BenchContext context) throws Exception {
        try (Engine engine = Engine.builder().settings(context.settings()).build()) {
            runAll(engine);
        }
    }

    private static long floors(ForkFloor floor) throws IOException {
        long sum = 0;
        for (int i = 0; i < RUNS; i++) {
            sum += floor.nanos();
        }
        return sum;
    }

    private static void runAll(Engine engine) throws InterruptedException, ExecutionException {
        try (ExecutorService callers =
                Executors.newFixedThreadPool(AT_A_TIME, Thread.ofVirtual().factory())) {
            List<Future<?>> runs = new ArrayList<>();
            for (int i = 0; i < RUNS; i++) {
                runs.add(callers.submit(() -> Scripts.hello(engine)));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        }
    }
}
