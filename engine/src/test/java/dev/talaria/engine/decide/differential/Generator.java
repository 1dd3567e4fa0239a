package dev.talaria.engine.decide.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/// Makes commands. The same seed and number make the same command wherever the same programs are installed.
///
/// Every other one is meant to reach its leaf, and each construction has its turn in them. The others reach none: they
/// hold a harmless command, or a dangerous one as data or where it is not run.
final class Generator {
    private static final int LONGEST = 6_000;
    private static final int TRIES = 400;

    /// Ways to write a command and not run it that people use seldom.
    private static final Set<String> UNUSUAL = Set.of("not-taken", "overridden", "defined");

    private final Grammar grammar;
    private final List<String> ids;
    private final long seed;

    Generator(Grammar grammar, long seed) {
        this.grammar = grammar;
        this.ids = List.copyOf(grammar.reaching().keySet());
        this.seed = seed;
    }

    Sample sample(int number) {
        SplittableRandom random = new SplittableRandom(seed + 0x9E3779B97F4A7C15L * number);
        for (int i = 0; i < TRIES; i++) {
            Optional<Sample> made = number % 2 == 0 ? reaching(number / 2, i < TRIES / 10, random) : stopping(random);
            if (made.isPresent() && made.get().command().length() <= LONGEST) {
                return made.get();
            }
        }
        throw new IllegalStateException(
                "No command could be made around " + ids.get(number / 2 % ids.size()) + " (" + number + ").");
    }

    /// One construction has its turn, and a second one, so that each meets each in time; not all can.
    private Optional<Sample> reaching(int turn, boolean both, SplittableRandom random) {
        List<Construction> layers = layers(random, 1, false);
        int place = random.nextInt(layers.size());
        if (both && layers.size() > 1) {
            layers.set((place + 1) % layers.size(), its(turn + 1 + turn / ids.size(), random));
        }
        Construction one = its(turn, random);
        layers.set(one.outermost() ? layers.size() - 1 : place, one);
        return Sample.of(random.nextLong(), leaf(grammar.dangerous(), random), layers);
    }

    private Construction its(int turn, SplittableRandom random) {
        return oneOf(grammar.reaching().get(ids.get(turn % ids.size())), random);
    }

    private Optional<Sample> stopping(SplittableRandom random) {
        List<Construction> layers = layers(random, 0, true);
        if (random.nextInt(100) < 55) {
            return Sample.of(random.nextLong(), leaf(grammar.harmless(), random), layers);
        }
        Construction stop = anyOf(grammar.stopping(), random);
        if (UNUSUAL.contains(stop.id()) && random.nextBoolean()) {
            stop = anyOf(grammar.stopping(), random);
        }
        layers.add(random.nextInt(layers.size() + 1), stop);
        return Sample.of(random.nextLong(), leaf(grammar.dangerous(), random), layers);
    }

    /// Returns up to four; two or three are the rule.
    private List<Construction> layers(SplittableRandom random, int least, boolean ordinary) {
        int roll = random.nextInt(10);
        int count = least + (roll < 3 ? 0 : roll < 6 ? 1 : roll < 9 ? 2 : 3);
        List<Construction> layers = new ArrayList<>();
        while (layers.size() < count) {
            Construction one = anyOf(grammar.reaching(), random);
            if (!one.rare() || random.nextInt(ordinary ? 8 : 2) == 0) {
                layers.add(one);
            }
        }
        return layers;
    }

    private static Sample.Leaf leaf(Map<String, List<Sample.Leaf>> leaves, SplittableRandom random) {
        return anyOf(leaves, random);
    }

    private static <T> T anyOf(Map<String, List<T>> variants, SplittableRandom random) {
        return oneOf(oneOf(List.copyOf(variants.values()), random), random);
    }

    private static <T> T oneOf(List<T> all, SplittableRandom random) {
        return all.get(random.nextInt(all.size()));
    }
}
