package dev.talaria.engine.gate.differential;

import dev.talaria.api.Gate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// Asks the gate about commands, runs them, and counts where the two differ.
///
/// @param home the home folder, for the gate and in the boxes
/// @param folder for files of this comparison
record Comparison(Path home, Path folder) {
    private static final int BOXES = 2;

    void run(Generator generator, int count, Tally tally) throws Exception {
        AtomicInteger next = new AtomicInteger();
        try (ExecutorService threads = Executors.newFixedThreadPool(BOXES)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < BOXES; i++) {
                int number = i;
                all.add(threads.submit(() -> {
                    work(generator, count, tally, next, number);
                    return number;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    private void work(Generator generator, int count, Tally tally, AtomicInteger next, int number) throws IOException {
        Judge judge = new Judge(folder, home.resolve("work"));
        try (Box box = Box.open(Files.createDirectories(folder.resolve("box-" + number)), home)) {
            for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                Sample sample = generator.sample(i);
                Gate.Decision decision = judge.decide(sample.command());
                boolean lets = decision instanceof Gate.Decision.Allowed;
                Outcome outcome = box.run(sample.command());
                tally.count(new Tally.Finding(i, sample, outcome.what(), decision.word()), outcome, lets);
                if (lets && outcome.reached()) {
                    Sample smallest = smallest(sample, judge, box);
                    String reached = box.run(smallest.command()).what();
                    String word = judge.decide(smallest.command()).word();
                    tally.offender(new Tally.Finding(i, smallest, reached, word));
                }
            }
        }
    }

    /// Takes layers away as long as the gate is still wrong.
    private static Sample smallest(Sample sample, Judge judge, Box box) {
        return sample.smaller()
                .filter(fewer ->
                        judge.lets(fewer.command()) && box.run(fewer.command()).reached())
                .findFirst()
                .map(fewer -> smallest(fewer, judge, box))
                .orElse(sample);
    }
}
