package dev.talaria.engine.gate.differential;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;

/// Names that a construction gives to its own things. They differ from those of the constructions around it.
final class Names {
    private static final List<String> POOL = List.of("x", "cmd", "tmp", "n", "opt", "arg", "item", "run_it", "K", "_z");

    private final int layer;
    private final RandomGenerator random;
    private final Map<String, String> given = new HashMap<>();

    Names(int layer, RandomGenerator random) {
        this.layer = layer;
        this.random = random;
    }

    String of(String placeholder) {
        return given.computeIfAbsent(placeholder, this::name);
    }

    private String name(String placeholder) {
        String suffix = layer + placeholder.toLowerCase(Locale.ROOT);
        String name = POOL.get(random.nextInt(POOL.size())) + suffix;
        return switch (placeholder) {
            case "V", "U" -> name.toUpperCase(Locale.ROOT) + "2";
            case "E" -> List.of("EOF", "END", "_").get(random.nextInt(3)) + layer;
            case "v", "u", "f", "x", "y" -> name;
            default -> throw new IllegalArgumentException("There is no placeholder '" + placeholder + "'.");
        };
    }
}
