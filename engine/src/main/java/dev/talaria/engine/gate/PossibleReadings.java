package dev.talaria.engine.gate;

import dev.talaria.engine.gate.reading.Reading;
import dev.talaria.engine.gate.reading.ShellContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/// The readings of one text in each of the surroundings that it may run in.
///
/// @param all the readings, at least one
record PossibleReadings(List<Reading> all) {

    /// Reads a text for each of the possible sets of variables. A set is left out if an earlier reading
    /// has looked at nothing that is different in it: then it would find the same.
    static PossibleReadings of(String text, ShellContext there, List<Map<String, String>> ways) {
        Set<String> names = ways.stream().flatMap(way -> way.keySet().stream()).collect(Collectors.toSet());
        Map<Map<String, String>, Reading> read = new LinkedHashMap<>();
        for (Map<String, String> way : ways) {
            boolean known = read.entrySet().stream().anyMatch(one -> same(one.getKey(), way, one.getValue()));
            if (!known) {
                read.put(way, Reading.of(text, there.with(way)));
            }
        }
        return new PossibleReadings(read.values().stream()
                .map(reading -> withoutGuesses(reading, names))
                .toList());
    }

    /// Returns whether a reading with some variables finds the same with others. One that was given up
    /// may have got further with others.
    private static boolean same(Map<String, String> one, Map<String, String> other, Reading reading) {
        return reading.unreadable().isEmpty()
                && reading.looked().stream().allMatch(name -> Objects.equals(one.get(name), other.get(name)));
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
                .reduce((one, other) -> with(one, other, Reading.both(one.unknown(), other.unknown())))
                .orElseThrow();
    }

    private static Reading with(Reading one, Reading other, List<String> unknown) {
        return new Reading(
                one.raw(),
                one.text(),
                one.lines().and(other.lines()),
                unknown,
                Set.copyOf(Reading.both(List.copyOf(one.programs()), List.copyOf(other.programs()))),
                one.compound() || other.compound(),
                one.unreadable().or(other::unreadable),
                one.after(),
                one.exports(),
                one.looked());
    }
}
