package dev.talaria.engine.gate;

import dev.talaria.engine.gate.reading.Reading;
import dev.talaria.engine.gate.reading.ShellContext;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The readings of one text in each of the surroundings that it may run in.
///
/// @param all the readings, at least one
record PossibleReadings(List<Reading> all) {

    /// Reads a text once for each of the possible sets of variables.
    static PossibleReadings of(String text, ShellContext there, List<Map<String, String>> ways) {
        Set<String> names = ways.stream().flatMap(way -> way.keySet().stream()).collect(Collectors.toSet());
        return new PossibleReadings(ways.stream()
                .map(way -> withoutGuesses(Reading.of(text, there.with(way)), names))
                .toList());
    }

    /// Removes the remarks that an exported variable is unknown: its values are covered by the other
    /// readings.
    private static Reading withoutGuesses(Reading reading, Set<String> names) {
        List<String> unknown = reading.unknown().stream()
                .filter(why -> names.stream().noneMatch(name -> why.startsWith("It runs $" + name + ",")))
                .toList();
        return unknown.size() == reading.unknown().size() ? reading : with(reading, reading, unknown);
    }

    /// Returns one reading with the findings of all.
    Reading any() {
        return all.stream()
                .reduce((one, other) -> with(one, other, both(one.unknown(), other.unknown())))
                .orElseThrow();
    }

    private static Reading with(Reading one, Reading other, List<String> unknown) {
        return new Reading(
                one.raw(),
                one.text(),
                both(one.commands(), other.commands()),
                both(one.resolved(), other.resolved()),
                both(one.pipelines(), other.pipelines()),
                both(one.writes(), other.writes()),
                unknown,
                both(one.code(), other.code()),
                Set.copyOf(both(List.copyOf(one.programs()), List.copyOf(other.programs()))),
                one.compound() || other.compound(),
                one.unreadable().or(other::unreadable),
                one.after(),
                one.exports());
    }

    private static List<String> both(List<String> one, List<String> other) {
        return Stream.concat(one.stream(), other.stream()).distinct().toList();
    }
}
