package dev.talaria.engine.gate.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/// Makes commands. The same seed and number make the same command wherever the same programs are installed.
///
/// Every other one is meant to reach its leaf, and each construction has its turn in them. The others reach none:
/// they hold a harmless command, or a dangerous one as data or where it is not run.
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
        int turn = number / 2;
        int depth = depth(false, random);
        for (int i = 0; i < TRIES; i++) {
            // What does not go together is tried less deep, and at last without its partner.
            int layers = i < TRIES / 2 ? depth : 1 + random.nextInt(depth);
            Optional<Sample> made = number % 2 == 0 ? reaching(turn, layers, i < TRIES / 4, random) : stopping(random);
            if (made.isPresent() && made.get().command().length() <= LONGEST) {
                return made.get();
            }
        }
        throw new IllegalStateException(
                "No command could be made around " + ids.get(turn % ids.size()) + " (" + number + ").");
    }

    /// One construction has its turn, and a second one, so that each meets each in time; not all can.
    private Optional<Sample> reaching(int turn, int depth, boolean both, SplittableRandom random) {
        List<Construction> layers = layers(depth, false, random);
        int place = random.nextInt(layers.size());
        if (both && layers.size() > 1) {
            layers.set((place + 1) % layers.size(), its(turn + 1 + turn / ids.size(), random));
        }
        Construction one = its(turn, random);
        layers.set(one.outermost() ? layers.size() - 1 : place, one);
        return Sample.of(random.nextLong(), anyOf(grammar.dangerous(), random), layers);
    }

    private Construction its(int turn, SplittableRandom random) {
        return oneOf(grammar.reaching().get(ids.get(turn % ids.size())), random);
    }

    private Optional<Sample> stopping(SplittableRandom random) {
        List<Construction> layers = layers(depth(true, random), true, random);
        if (random.nextInt(100) < 55) {
            return Sample.of(random.nextLong(), anyOf(grammar.harmless(), random), layers);
        }
        Construction stop = anyOf(grammar.stopping(), random);
        if (UNUSUAL.contains(stop.id()) && random.nextBoolean()) {
            stop = anyOf(grammar.stopping(), random);
        }
        layers.add(random.nextInt(layers.size() + 1), stop);
        return Sample.of(random.nextLong(), anyOf(grammar.dangerous(), random), layers);
    }

    /// Ordinary commands are less nested than those that hide something.
    private static int depth(boolean ordinary, SplittableRandom random) {
        List<Integer> depths = ordinary ? List.of(0, 0, 0, 1, 1, 1, 2, 2, 2, 3) : List.of(1, 2, 2, 2, 3, 3, 3, 3, 4, 4);
        return oneOf(depths, random);
    }

    private List<Construction> layers(int depth, boolean ordinary, SplittableRandom random) {
        List<Construction> layers = new ArrayList<>();
        while (layers.size() < depth) {
            Construction one = anyOf(grammar.reaching(), random);
            if (!one.rare() || random.nextInt(ordinary ? 8 : 2) == 0) {
                layers.add(one);
            }
        }
        return layers;
    }

    private static <T> T anyOf(Map<String, List<T>> variants, SplittableRandom random) {
        return oneOf(oneOf(List.copyOf(variants.values()), random), random);
    }

    private static <T> T oneOf(List<T> all, SplittableRandom random) {
        return all.get(random.nextInt(all.size()));
    }
}
