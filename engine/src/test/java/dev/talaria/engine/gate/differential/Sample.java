package dev.talaria.engine.gate.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A command that was made, and how.
///
/// @param seed from which its names come
/// @param layers from the inside to the outside
record Sample(long seed, Leaf leaf, List<Construction> layers, String command) {

    /// What a command is built around.
    record Leaf(String id, Piece piece, boolean dangerous) {}

    Sample {
        layers = List.copyOf(layers);
    }

    /// Returns the command of these layers, or nothing if one cannot stand around the other.
    static Optional<Sample> of(long seed, Leaf leaf, List<Construction> layers) {
        SplittableRandom random = new SplittableRandom(seed);
        Optional<Piece> piece = Optional.of(leaf.piece());
        int layer = 0;
        for (Construction construction : layers) {
            Names names = new Names(++layer, random);
            if (construction.outermost() && layer < layers.size()) {
                return Optional.empty();
            }
            piece = piece.flatMap(inner -> construction.around(inner, names));
        }
        return piece.map(made -> new Sample(seed, leaf, layers, made.text()));
    }

    /// Returns what is left when one layer is taken away, for each of them.
    Stream<Sample> smaller() {
        return IntStream.range(0, layers.size()).boxed().flatMap(index -> {
            List<Construction> fewer = new ArrayList<>(layers);
            fewer.remove(index.intValue());
            return of(seed, leaf, fewer).stream();
        });
    }

    String chain() {
        return Stream.concat(Stream.of(leaf.id()), layers.stream().map(Construction::id))
                .collect(Collectors.joining(" < "));
    }
}
