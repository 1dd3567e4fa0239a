package dev.talaria.bench;

import java.util.List;
import java.util.Optional;

/// The measurements of a row.
///
/// @param floor the lowest possible cost
/// @param plain the cost of the plain way, if there is one
/// @param ours the cost through Talaria
/// @param overhead the part of ours that does not count, such as one network round trip
/// @param notes facts beside the numbers
/// @param problems things that are wrong whatever the numbers say, such as leaks
record Measurement(
        Sample floor, Optional<Sample> plain, Sample ours, long overhead, List<String> notes, List<String> problems) {
    Measurement {
        notes = List.copyOf(notes);
        problems = List.copyOf(problems);
    }

    static Measurement of(Sample floor, Sample ours) {
        return new Measurement(floor, Optional.empty(), ours, 0, List.of(), List.of());
    }

    Measurement withPlain(Sample newPlain) {
        return new Measurement(floor, Optional.of(newPlain), ours, overhead, notes, problems);
    }

    Measurement withOverhead(long newOverhead) {
        return new Measurement(floor, plain, ours, newOverhead, notes, problems);
    }

    Measurement withNotes(List<String> newNotes) {
        return new Measurement(floor, plain, ours, overhead, newNotes, problems);
    }

    Measurement withProblems(List<String> newProblems) {
        return new Measurement(floor, plain, ours, overhead, notes, newProblems);
    }

    /// Returns the ratio of ours to the floor, by medians.
    double ratio() {
        return (double) (ours.median() - overhead) / floor.median();
    }
}
