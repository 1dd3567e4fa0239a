package dev.talaria.bench;

import java.util.List;
import java.util.Optional;

/// What a row measured.
///
/// @param floor the least it can cost
/// @param plain the same done the plain way, where there is one
/// @param ours what it costs through Talaria
/// @param overhead the part of ours that is not held against it, such as one network round trip
/// @param notes facts beside the numbers
/// @param problems what is wrong whatever the numbers say, such as leaks
record Measured(
        Sample floor, Optional<Sample> plain, Sample ours, long overhead, List<String> notes, List<String> problems) {
    Measured {
        notes = List.copyOf(notes);
        problems = List.copyOf(problems);
    }

    static Measured of(Sample floor, Sample ours) {
        return new Measured(floor, Optional.empty(), ours, 0, List.of(), List.of());
    }

    Measured withPlain(Sample newPlain) {
        return new Measured(floor, Optional.of(newPlain), ours, overhead, notes, problems);
    }

    Measured withOverhead(long newOverhead) {
        return new Measured(floor, plain, ours, newOverhead, notes, problems);
    }

    Measured withNotes(List<String> newNotes) {
        return new Measured(floor, plain, ours, overhead, newNotes, problems);
    }

    Measured withProblems(List<String> newProblems) {
        return new Measured(floor, plain, ours, overhead, notes, newProblems);
    }

    /// Returns how many times the floor ours takes, medians both.
    double ratio() {
        return (double) (ours.median() - overhead) / floor.median();
    }
}
